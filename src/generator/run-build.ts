// Builds the static API: renders what changed since the last build, and moves it into the output folder. A build that
// crashes is finished by the next build.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIntact } from '#files/read-if-exists.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Store, StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import { builtRevision, checkIsSameIndex, curatedChanges, isSampleReplaced, readBuildOrigin } from './build-origin.ts';
import { verifyCopies } from './image-entries.ts';
import { isRemovalPlanned } from './occupied-paths.ts';
import { checkFolders, explainOutputError, forgetOutput, type Output, openOutput } from './open-output.ts';
import { placeFiles, removeFile, syncToDisk } from './place-files.ts';
import { readSiteHash } from './plan-site-hash.ts';
import { type BuildRecord, type BuildTotals, type ChangeCounts, readOrigin } from './record/build-record.ts';
import { endContinuedList, finishChanges, hasPlan, isListContinued, readChanges } from './record/changes.ts';
import { readFiles } from './record/recorded-files.ts';
import { writeChangeList } from './write-change-list.ts';
import { writeHosts } from './write-hosts.ts';

export interface BuildSummary extends ChangeCounts, BuildTotals {
  readonly unchanged: number;
  /** The number of missing or damaged files that were repaired; 0 without the option `verify`. */
  readonly repaired: number;
  readonly siteHash: string;
}

const NOTHING_CHANGED: ChangeCounts = { written: 0, writtenBytes: 0, removed: 0 };

/**
 * Runs a build. Throws FailureError if the output folder or the disk cannot be used; served files are then unchanged.
 */
export async function runBuild(store: Store, options: BuildOptions): Promise<BuildSummary> {
  checkFolders(options.hosts, options.out);
  const output = await openOutput(options.out);
  let isNothingWritten = false;
  try {
    const earlier = (await finishPlan(output, options.reporter, true)) ?? NOTHING_CHANGED;
    // The staging folder may remain from a build that was killed before it stored its plan.
    rmSync(output.staging, { recursive: true, force: true });
    if (options.verify) await verifyCopies(store, options);
    const damaged = options.verify ? await findDamaged(output, options.reporter) : new Set<string>();
    // The transaction reads one state of the index, even if an index run changes the index at the same time.
    const snapshot = store.transaction().setAccessMode('read only');
    await snapshot.execute((reader) => plan(reader, output, options, damaged));
    const planned = (await finishPlan(output, options.reporter, false)) ?? NOTHING_CHANGED;
    await writeHosts(options.hosts, output.folder, output.record);
    if (planned === NOTHING_CHANGED) await endChangeList(output);
    const { files, bytes } = (await readOrigin(output.record)) ?? { files: 0, bytes: 0 };
    const siteHash = await readSiteHash(output.record);
    const counts = {
      written: earlier.written + planned.written,
      writtenBytes: earlier.writtenBytes + planned.writtenBytes,
      removed: earlier.removed + planned.removed,
    };
    // An interrupted build and this build may both have written the same file, which is then counted twice.
    const unchanged = Math.max(0, files - counts.written);
    return { ...counts, unchanged, repaired: damaged.size, files, bytes, siteHash };
  } catch (error) {
    isNothingWritten = output.isNew && (await isUnused(output.record).catch(() => false));
    throw explainOutputError(error, options.out);
  } finally {
    await output.close();
    if (isNothingWritten) forgetOutput(output);
  }
}

/** Returns true if no build was finished or planned in the record. */
async function isUnused(record: BuildRecord): Promise<boolean> {
  return !(await hasPlan(record)) && (await readOrigin(record)) === undefined;
}

/** Plans a build. If nothing has changed, returns without loading the renderer. */
async function plan(
  reader: StoreReader,
  output: Output,
  options: BuildOptions,
  damaged: ReadonlySet<string>,
): Promise<void> {
  const origin = await readBuildOrigin(reader, options);
  const last = await readOrigin(output.record);
  if (last !== undefined && !options.replace) checkIsSameIndex(origin, last, options);
  if (isSampleReplaced(origin, last))
    options.reporter.info(`${options.out} holds the site of the bundled sample. This build replaces it.`);
  const comparesAll = options.full || damaged.size > 0;
  const since = comparesAll ? 0 : await builtRevision(reader, origin, last);
  const hasSameExamples = last?.examples === origin.examples;
  if (since === origin.revision && last?.extras === origin.extras && hasSameExamples) return;
  const { planBuild } = await import('./plan-build.ts');
  const planned = { ...options, curatedChanges: curatedChanges(origin, last) };
  await planBuild(reader, { output, options: planned, origin, since, damaged, hasSameExamples });
}

/**
 * Executes the planned changes: writes files, then removes files. A build that finds an unfinished plan calls it again.
 * Returns undefined without a plan.
 */
async function finishPlan(
  { staging, folder, changesFile, record }: Output,
  reporter: Reporter,
  wasInterrupted: boolean,
): Promise<ChangeCounts | undefined> {
  if (!(await hasPlan(record))) return undefined;
  await placeFiles(staging, folder, (path) => isRemovalPlanned(record, folder, path));
  let done = 0;
  for await (const changes of readChanges(record, 'remove')) {
    for (const { path } of changes) removeFile(folder, path);
    done += changes.length;
    reporter.progress({ task: 'remove', done, unit: 'items' });
  }
  await writeChangeList(changesFile, record);
  await syncToDisk(folder);
  return finishChanges(record, wasInterrupted);
}

/**
 * Updates the list of changes after a build that changed nothing: empties it, but keeps the changes of an interrupted
 * build that this build finished.
 */
async function endChangeList({ record, changesFile }: Output): Promise<void> {
  if (await isListContinued(record)) await endContinuedList(record);
  else await writeChangeList(changesFile, record);
}

/** Returns the paths of recorded files that are missing or damaged in the output folder. */
async function findDamaged(output: Output, reporter: Reporter): Promise<Set<string>> {
  const damaged = new Set<string>();
  let done = 0;
  for await (const files of readFiles(output.record)) {
    for (const { path, hash } of files)
      if (readIntact(join(output.folder, path), hash) === undefined) damaged.add(path);
    done += files.length;
    reporter.progress({ task: 'verify', done, unit: 'items' });
  }
  return damaged;
}
