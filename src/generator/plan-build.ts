// Plans a build: renders changed files into the staging folder, and records the next site.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '#hosts/serve.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded, type Route } from '#routes/route.ts';
import type { Changes, Subject } from '#routes/subject.ts';
import { DOCUMENTS } from '#site/documents.ts';
import type { SiteDocument } from '#site/site-document.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { writeValues } from '#sqlite/info.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import { checkCounts, checkLimits, type LimitCheck, readLimitCheck } from './check-limits.ts';
import { hostFilesInSite, siteOf } from './host-files.ts';
import { imageEntries } from './image-entries.ts';
import type { Output } from './open-output.ts';
import { syncToDisk } from './place-files.ts';
import type { BuildOrigin, RecordedFile, RecordWriter } from './record/build-record.ts';
import { openTaken, readFilesOf } from './record/changes.ts';
import { countFiles, hasFilesOf, measureFiles } from './record/recorded-files.ts';
import { seedEntry } from './seed-entries.ts';
import { DOCUMENT_FILES, DUMP, HOST_FILES, IMAGES, openSiteSum, SEED, SHOW_SITE_HASH } from './site-hash.ts';
import { openStager, type StagedCounts, type Stager } from './stage-changes.ts';
import type { RenderedEntry, StagedFile } from './stage-entries.ts';

interface BuildTask {
  readonly output: Output;
  readonly options: BuildOptions;
  readonly origin: BuildOrigin;
  /** The revision of the last build. Only later changes are rendered; 0 to render and compare everything. */
  readonly since: number;
  /** True if the API description has the same examples as at the last build. */
  readonly hasSameExamples: boolean;
}

export interface ChangeCounts extends StagedCounts {
  readonly removed: number;
}

/**
 * Records the next site, and stages its changed files. Throws FailureError. After an error, removes all staged files,
 * and the record still has the last site.
 */
export async function planBuild(reader: StoreReader, task: BuildTask): Promise<ChangeCounts> {
  const { output, origin } = task;
  try {
    return await output.record.transaction().execute(async (record) => {
      const staged = await stage(reader, { ...task, record });
      const removed = await countRows(record.selectFrom('obsolete'));
      const { files, bytes } = await countFiles(record);
      const isChanged = output.isNew || staged.written + removed > 0;
      await writeValues(record, {
        origin: JSON.stringify(origin),
        files: String(files),
        bytes: String(bytes),
        placing: isChanged ? '1' : undefined,
        host_files: undefined,
      });
      // The staged files must be on the disk before they are recorded, since they are not checked again.
      if (isChanged) await syncToDisk(output.folder);
      return { ...staged, removed };
    });
  } catch (error) {
    // If the removal fails, the next build removes the folder.
    try {
      rmSync(output.staging, { recursive: true, force: true });
    } catch {}
    throw error;
  }
}

interface StageJob extends BuildTask {
  readonly record: RecordWriter;
}

/** The key of the entry for documents with examples. All other documents share an entry whose key is empty. */
const WITH_EXAMPLES = 'with-examples';

async function stage(
  reader: StoreReader,
  { since, options, origin, hasSameExamples, ...job }: StageJob,
): Promise<StagedCounts> {
  const { record, output } = job;
  const isEverything = since === 0;
  const routes = ROUTES.filter((route) => isIncluded(route, options.only));
  const limits = await readLimitCheck(reader, options);
  if (limits !== undefined) checkCounts(limits);
  const routesBySubject = Map.groupBy(routes, (route) => route.subject);
  let total = 0;
  const changes = new Map<Subject, Changes>();
  for (const subject of routesBySubject.keys()) {
    const subjectChanges = await subject.changes(reader, since, options);
    changes.set(subject, subjectChanges);
    total += subjectChanges.count;
  }
  let done = 0;
  await openTaken(record);
  const siteSum = await openSiteSum(record, isEverything && !output.isNew);
  const hadImages = await hasFilesOf(record, IMAGES);
  await using stager = openStager({
    ...job,
    siteSum,
    isEverything,
    comparesBytes: options.full === true && !output.isNew,
    expectedEntries: total,
    signal: options.signal,
    onEntries: (count) => {
      done += count;
      options.reporter.progress({ task: 'build', done, total: Math.max(total, done), unit: 'items' });
    },
  });
  await stager.stage(DOCUMENT_FILES, await siteEntries(reader, routes, options, { isEverything, hasSameExamples }));
  await stager.stage(IMAGES, imageEntries(reader, since, options));
  const stageEntries = async (isLast: boolean, hash?: string) => {
    for (const [subject, subjectChanges] of changes)
      if ((subject.showsSiteHash ?? false) === isLast)
        await stager.stageEntries(routesBySubject.get(subject) ?? [], subjectChanges, { ...options, siteHash: hash });
  };
  await stageEntries(false);
  if (options.dump) await stageDump(stager, reader, output, options);
  else await stager.stage(DUMP, [{ route: DUMP, key: '', files: [] }]);
  const seed =
    options.seed === undefined ? { route: SEED, key: '', files: [] } : seedEntry(options.seed, origin.chainId);
  await stager.stage(SEED, [seed]);
  await stager.removeOtherRoutes([HOST_FILES, ...SHOW_SITE_HASH]);
  await stageEntries(true, await siteSum.end());
  await stageHostFiles(stager, job, options, limits);
  await stager.checkOccupied();
  // The site of the sample needs no public URL, since it is only for tests on this machine. A build that changes only a
  // part of the site warns only if it adds the first images.
  const mayWarn = options.publicUrl === '' && origin.chainId !== SAMPLE_CHAIN_ID && (isEverything || !hadImages);
  if (mayWarn && (await hasFilesOf(record, IMAGES)))
    options.reporter.warn(
      'Image URIs are relative (/images/…), and the token list file has no copied images, because --public-url is not ' +
        'set. Pass it to every build, for example as "public-url" in stxpress.config.json.',
    );
  return stager.counts;
}

/** Writes all tables of the dump to a temporary folder, and stages the tables that changed. */
async function stageDump(stager: Stager, reader: StoreReader, output: Output, options: BuildOptions): Promise<void> {
  const { writeDump } = await import('#dump/write-dump.ts');
  // This folder is inside the staging folder, so the next build removes it if the process is killed.
  const writing = join(output.staging, '.dump');
  try {
    await stager.stage(DUMP, [
      { route: DUMP, key: '', files: await writeDump(reader, writing, options, stager.checkStop) },
    ]);
  } finally {
    rmSync(writing, { recursive: true, force: true });
  }
}

/** Stages the files that hosts need in the site. The files for `serve` are in every build. */
async function stageHostFiles(
  stager: Stager,
  { output, record }: Pick<StageJob, 'output' | 'record'>,
  { hosts, reporter }: BuildOptions,
  limits: LimitCheck | undefined,
): Promise<void> {
  const hostFiles = hostFilesInSite([serve, ...hosts], siteOf(output.folder));
  const before = await readFilesOf(record, [HOST_FILES], ['']);
  await stager.stage(HOST_FILES, [{ route: HOST_FILES, key: '', files: hostFiles }]);
  if (limits !== undefined) checkLimits(limits, await measureFiles(record), reporter);
  warnOfRemoved(before, hostFiles, reporter);
}

/**
 * Renders documents and error files of the site, as entries sorted by key. `isEverything`: also renders documents that
 * depend only on the program and the options.
 */
async function siteEntries(
  store: StoreReader,
  routes: readonly Route[],
  { publicUrl, name }: BuildOptions,
  { isEverything, hasSameExamples }: { readonly isEverything: boolean; readonly hasSameExamples: boolean },
): Promise<RenderedEntry[]> {
  const render = (documents: readonly SiteDocument[]) =>
    Promise.all(
      documents.map(async ({ file, render: renderBody }) => ({
        path: file,
        body: await renderBody({ store, routes, publicUrl, name }),
      })),
    );
  const entry = async (key: string, isWithExamples: boolean) => {
    const files = await render(DOCUMENTS.filter(({ hasExamples = false }) => hasExamples === isWithExamples));
    return { route: DOCUMENT_FILES, key, files };
  };
  const entries = isEverything || !hasSameExamples ? [await entry(WITH_EXAMPLES, true)] : [];
  if (!isEverything) return entries;
  // Routes that `--only` leaves out are included, since requests for their paths get these errors, too.
  const errors = Object.entries(SITE_RULES.errors).map(([path, body]) => ({ path, body }));
  const fixed = await entry('', false);
  return [{ ...fixed, files: [...errors, ...fixed.files] }, ...entries];
}

/** Warns if the build removes files of a host that an earlier build included, but this one does not. */
function warnOfRemoved(before: readonly RecordedFile[], files: readonly StagedFile[], reporter: Reporter): void {
  const stays = new Set(files.map(({ path }) => path));
  const removed = before.map(({ path }) => path).filter((path) => !stays.has(path));
  if (removed.length > 0)
    reporter.warn(
      `Removed ${removed.join(', ')}: no --hosts of this build reads it. ` +
        'Pass all hosts to every build, for example as "hosts" in stxpress.config.json.',
    );
}
