// Plans a build: renders changed files into the staging folder, and records which files to write and to remove.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '#hosts/serve.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded, type Route } from '#routes/route.ts';
import type { Changes, Subject } from '#routes/subject.ts';
import { DOCUMENTS } from '#site/documents.ts';
import type { SiteDocument } from '#site/site-document.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import { checkCounts, checkLimits } from './check-limits.ts';
import { hostFilesInSite, siteOf } from './host-files.ts';
import { imageEntries } from './image-entries.ts';
import type { Output } from './open-output.ts';
import { syncToDisk } from './place-files.ts';
import { DUMP, HOST_FILES, IMAGES, planSiteHash, SEED, SHOW_SITE_HASH, SITE } from './plan-site-hash.ts';
import type { BuildOrigin, RecordWriter } from './record/build-record.ts';
import { hasChanges, openTaken, writePlannedOrigin } from './record/changes.ts';
import { measurePlanned, readPlannedPaths } from './record/planned-files.ts';
import { hasFilesOf, readFilesOf } from './record/recorded-files.ts';
import { seedEntry } from './seed-entries.ts';
import { openStager, type Stager } from './stage-changes.ts';
import type { RenderedEntry, StagedFile } from './stage-entries.ts';

interface BuildTask {
  readonly output: Output;
  readonly options: BuildOptions;
  readonly origin: BuildOrigin;
  /** The revision of the last build. Only later changes are rendered; 0 to render and compare everything. */
  readonly since: number;
  /** Paths of recorded files that are missing or damaged. */
  readonly damaged: ReadonlySet<string>;
  /** True if the API description has the same examples as at the last build. */
  readonly hasSameExamples: boolean;
}

/** Plans a build and stages its files. Throws FailureError `host-limit`. After an error, removes all staged files. */
export async function planBuild(reader: StoreReader, task: BuildTask): Promise<void> {
  const { output, origin } = task;
  try {
    await output.record.transaction().execute(async (record) => {
      await stage(reader, { ...task, record });
      await writePlannedOrigin(record, origin);
      // The staged files must be on the disk before the plan is committed: when the plan is executed, they are not
      // checked again.
      if (output.isNew || (await hasChanges(record))) await syncToDisk(output.folder);
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
): Promise<void> {
  const { record } = job;
  const routes = ROUTES.filter((route) => isIncluded(route, options.only));
  await checkCounts(reader, options);
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
  await using stager = openStager({
    ...job,
    isEverything: since === 0,
    expectedEntries: total,
    signal: options.signal,
    onEntries: (count) => {
      done += count;
      options.reporter.progress({ task: 'build', done, total: Math.max(total, done), unit: 'items' });
    },
  });
  await stager.stage(SITE, await siteEntries(reader, routes, options, { isEverything: since === 0, hasSameExamples }));
  await stager.stage(IMAGES, imageEntries(reader, since, options));
  const stageEntries = async (isLast: boolean, siteHash?: string) => {
    for (const [subject, subjectChanges] of changes)
      if ((subject.showsSiteHash ?? false) === isLast)
        await stager.stageEntries(routesBySubject.get(subject) ?? [], subjectChanges, { ...options, siteHash });
  };
  await stageEntries(false);
  if (options.dump) await stageDump(stager, reader, job.output, options);
  else await stager.stage(DUMP, [{ route: DUMP, key: '', files: [] }]);
  const seed =
    options.seed === undefined ? { route: SEED, key: '', files: [] } : seedEntry(options.seed, origin.chainId);
  await stager.stage(SEED, [seed]);
  await stager.removeOtherRoutes([HOST_FILES, ...SHOW_SITE_HASH]);
  await stageEntries(true, await planSiteHash(record, since === 0));
  await stageHostFiles(stager, job, options);
  await stager.checkOccupied();
  // The site of the sample needs no public URL, since it is only for tests on this machine.
  if (options.publicUrl === '' && origin.chainId !== SAMPLE_CHAIN_ID)
    await warnOfRelativeImages(record, since === 0, options.reporter);
}

/** Writes all tables of the dump to a temporary folder, and stages the tables that changed. */
async function stageDump(stager: Stager, reader: StoreReader, output: Output, options: BuildOptions): Promise<void> {
  const { writeDump } = await import('#dump/write-dump.ts');
  // This folder is inside the staging folder, so the next build removes it if the process is killed.
  const writing = join(output.staging, '.dump');
  try {
    await stager.stage(DUMP, [{ route: DUMP, key: '', files: await writeDump(reader, writing, options) }]);
  } finally {
    rmSync(writing, { recursive: true, force: true });
  }
}

/** Stages the files that hosts need in the site. The files for `serve` are in every build. */
async function stageHostFiles(
  stager: Stager,
  { output, record }: Pick<StageJob, 'output' | 'record'>,
  { hosts, reporter }: BuildOptions,
): Promise<void> {
  const hostFiles = hostFilesInSite([serve, ...hosts], siteOf(output.folder));
  await stager.stage(HOST_FILES, [{ route: HOST_FILES, key: '', files: hostFiles }]);
  if (hosts.some(({ limits }) => limits.length > 0)) checkLimits(hosts, await measurePlanned(record), reporter);
  await warnOfRemoved(record, hostFiles, reporter);
}

/**
 * Renders documents and error files of the site, as entries sorted by key. `isEverything`: also renders documents that
 * depend only on the program and the options.
 */
async function siteEntries(
  store: StoreReader,
  routes: readonly Route[],
  { publicUrl }: BuildOptions,
  { isEverything, hasSameExamples }: { readonly isEverything: boolean; readonly hasSameExamples: boolean },
): Promise<RenderedEntry[]> {
  const render = (documents: readonly SiteDocument[]) =>
    Promise.all(
      documents.map(async ({ file, render: renderBody }) => ({
        path: file,
        body: await renderBody({ store, routes, publicUrl }),
      })),
    );
  const entry = async (key: string, isWithExamples: boolean) => {
    const files = await render(DOCUMENTS.filter(({ hasExamples = false }) => hasExamples === isWithExamples));
    return { route: SITE, key, files };
  };
  const entries = isEverything || !hasSameExamples ? [await entry(WITH_EXAMPLES, true)] : [];
  if (!isEverything) return entries;
  // Routes that `--only` leaves out are included, since requests for their paths get these errors, too.
  const errors = Object.entries(SITE_RULES.errors).map(([path, body]) => ({ path, body }));
  const fixed = await entry('', false);
  return [{ ...fixed, files: [...errors, ...fixed.files] }, ...entries];
}

/** Warns if the build removes files of a host that an earlier build included, but this one does not. */
async function warnOfRemoved(record: RecordWriter, files: readonly StagedFile[], reporter: Reporter): Promise<void> {
  const stays = new Set(files.map(({ path }) => path));
  const before = await readFilesOf(record, [HOST_FILES], ['']);
  const removed = before.map(({ path }) => path).filter((path) => !stays.has(path));
  if (removed.length > 0)
    reporter.warn(
      `Removed ${removed.join(', ')}: no --hosts of this build reads it. ` +
        'Pass all hosts to every build, for example as "hosts" in stxpress.config.json.',
    );
}

/** Warns that image URIs are relative. Only builds of everything warn, and builds that add the first images. */
async function warnOfRelativeImages(record: RecordWriter, isEverything: boolean, reporter: Reporter): Promise<void> {
  if (!isEverything && (await hasFilesOf(record, IMAGES))) return;
  const planned = await readPlannedPaths(record, `${IMAGE_FOLDER}/`).next();
  if (planned.done !== true)
    reporter.warn(
      'Image URIs are relative (/images/…), because --public-url is not set. ' +
        'Pass it to every build, for example as "public-url" in stxpress.config.json.',
    );
}
