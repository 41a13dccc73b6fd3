// Plans a build: renders and stages what changed, and says what is to be written and removed.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '#hosts/serve.ts';
import { IMAGE_FOLDER } from '#layout/image-files.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import type { SiteHash } from '#model/site-hash.ts';
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
import { DUMP, HOST_FILES, IMAGES, planSiteHash, SHOW_SITE_HASH, SITE } from './plan-site-hash.ts';
import type { BuildOrigin, RecordWriter } from './record/build-record.ts';
import { hasChanges, openTaken, writePlannedOrigin } from './record/changes.ts';
import { measurePlanned, readPlannedPaths } from './record/planned-files.ts';
import { hasFilesOf, readFilesOf } from './record/recorded-files.ts';
import { openStager, type Stager } from './stage-changes.ts';
import type { RenderedEntry, StagedFile } from './stage-entries.ts';

interface BuildTask {
  readonly output: Output;
  readonly options: BuildOptions;
  readonly origin: BuildOrigin;
  /** Renders what changed after this revision; after revision 0, renders and compares everything. */
  readonly since: number;
  /** Paths of files that are not on the disk as they were written. */
  readonly damaged: ReadonlySet<string>;
  /** True if the examples of the index are the same as at the last build. */
  readonly hasSameExamples: boolean;
}

/** Throws FailureError `host-limit` for a site that a host would not take: then nothing stays staged. */
export async function planBuild(reader: StoreReader, task: BuildTask): Promise<void> {
  const { output, origin } = task;
  try {
    await output.record.transaction().execute(async (record) => {
      await stage(reader, { ...task, record });
      await writePlannedOrigin(record, origin);
      // Once the plan is committed it is carried out without looking at the files again: they must be there.
      if (output.isNew || (await hasChanges(record))) await syncToDisk(output.folder);
    });
  } catch (error) {
    // The next build removes what cannot be removed now; nothing is hidden by it.
    try {
      rmSync(output.staging, { recursive: true, force: true });
    } catch {}
    throw error;
  }
}

interface StageJob extends BuildTask {
  readonly record: RecordWriter;
}

/** Files of the site that change with the index are entries of their own. */
const LANDING_PAGE = 'landing-page';
const WITH_EXAMPLES = 'with-examples';

async function stage(
  reader: StoreReader,
  { since, options, origin, hasSameExamples, ...job }: StageJob,
): Promise<void> {
  const { record } = job;
  const routes = ROUTES.filter((route) => isIncluded(route, options.only));
  await checkCounts(reader, options);
  const ofSubjects = Map.groupBy(routes, (route) => route.subject);
  let total = 0;
  const changes = new Map<Subject, Changes>();
  for (const subject of ofSubjects.keys()) {
    const ofSubject = await subject.changes(reader, since, options);
    changes.set(subject, ofSubject);
    total += ofSubject.count;
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
  const stageEntries = async (isLast: boolean, site?: SiteHash) => {
    for (const [subject, ofSubject] of changes)
      if ((subject.showsSiteHash ?? false) === isLast)
        await stager.stageEntries(ofSubjects.get(subject) ?? [], ofSubject, { ...options, site });
  };
  await stageEntries(false);
  if (options.dump) await stageDump(stager, reader, job.output, options);
  else await stager.stage(DUMP, [{ route: DUMP, key: '', files: [] }]);
  await stager.removeOtherRoutes([HOST_FILES, ...SHOW_SITE_HASH]);
  await stageEntries(true, await planSiteHash(record, since === 0));
  await stageHostFiles(stager, job, options);
  await stager.checkOccupied();
  // The sample is looked at, on this machine.
  if (options.publicUrl === '' && origin.chainId !== SAMPLE_CHAIN_ID)
    await warnOfRelativeImages(record, since === 0, options.reporter);
}

/** The tables are written whole beside what is staged, and moved where they changed. */
async function stageDump(stager: Stager, reader: StoreReader, output: Output, options: BuildOptions): Promise<void> {
  const { writeDump } = await import('#dump/write-dump.ts');
  // What a kill leaves of it goes with what else was staged.
  const writing = join(output.staging, '.dump');
  try {
    await stager.stage(DUMP, [{ route: DUMP, key: '', files: await writeDump(reader, writing, options) }]);
  } finally {
    rmSync(writing, { recursive: true, force: true });
  }
}

/** Every build has the files for `serve`. */
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
 * Renders the files that a site has once, in the order of their keys. `isEverything`: includes files that depend only on
 * the program and the options.
 */
async function siteEntries(
  store: StoreReader,
  routes: readonly Route[],
  { publicUrl, only }: BuildOptions,
  { isEverything, hasSameExamples }: { readonly isEverything: boolean; readonly hasSameExamples: boolean },
): Promise<RenderedEntry[]> {
  const render = (documents: readonly SiteDocument[]) =>
    Promise.all(
      documents.map(async (one) => ({ path: one.file, body: await one.render({ store, routes, publicUrl, only }) })),
    );
  const entry = async (key: string, kind: SiteDocument['changesWith']) => {
    return { route: SITE, key, files: await render(DOCUMENTS.filter(({ changesWith }) => changesWith === kind)) };
  };
  const entries = [await entry(LANDING_PAGE, 'index')];
  if (isEverything || !hasSameExamples) entries.push(await entry(WITH_EXAMPLES, 'examples'));
  if (!isEverything) return entries;
  // The errors of routes that are left out too: what is below them is answered as they do.
  const errors = Object.entries(SITE_RULES.errors).map(([path, body]) => ({ path, body }));
  const fixed = await entry('', undefined);
  return [{ ...fixed, files: [...errors, ...fixed.files] }, ...entries];
}

/** A site goes on without what its host read, so it is said. */
async function warnOfRemoved(record: RecordWriter, files: readonly StagedFile[], reporter: Reporter): Promise<void> {
  const stays = new Set(files.map(({ path }) => path));
  const before = await readFilesOf(record, [HOST_FILES], ['']);
  const removed = before.map(({ path }) => path).filter((path) => !stays.has(path));
  if (removed.length > 0)
    reporter.warn(
      `Removed ${removed.join(', ')}: no --host of this build reads it. ` +
        'Name the hosts at every build, best as "build-host" in stxpress.config.json.',
    );
}

/** Said of a site's first images, and of a build of everything: others would say it every minute. */
async function warnOfRelativeImages(record: RecordWriter, isEverything: boolean, reporter: Reporter): Promise<void> {
  if (!isEverything && (await hasFilesOf(record, IMAGES))) return;
  const planned = await readPlannedPaths(record, `${IMAGE_FOLDER}/`).next();
  if (planned.done !== true)
    reporter.warn(
      'Image URIs are relative (/images/…), because --public-url is not set: for clients to ' +
        'complete. Name it at every build, best as "public-url" in stxpress.config.json.',
    );
}
