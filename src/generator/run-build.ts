// Builds the static API: renders what changed since the last build, and moves it into the output folder. If a build is
// killed while it moves files, the next build moves the rest.

import { rmSync } from 'node:fs';
import { withoutContracts } from '#store/contracts/unwritable-contracts.ts';
import type { Store, StoreReader } from '#store/index-database.ts';
import type { BuildOptions } from './build-options.ts';
import { builtRevision, checkIsSameIndex, curatedChanges, isSampleReplaced, readBuildOrigin } from './build-origin.ts';
import { verifyCopies } from './image-entries.ts';
import { readLeftOut } from './left-out.ts';
import { checkFolders, explainOutputError, forgetOutput, type Output, openOutput } from './open-output.ts';
import { placeFiles } from './place-files.ts';
import type { ChangeCounts } from './plan-build.ts';
import { type BuildOrigin, type BuildTotals, isPlacing, readOrigin } from './record/build-record.ts';
import { endPlacing } from './record/changes.ts';
import { writeHosts } from './write-hosts.ts';

export interface BuildSummary extends ChangeCounts, BuildTotals {
  readonly unchanged: number;
  readonly siteHash: string;
  /** The ids of the contracts that the output folder cannot hold. */
  readonly leftOut: readonly string[];
}

const NOTHING_CHANGED: ChangeCounts = { written: 0, writtenBytes: 0, repaired: 0, removed: 0 };

/**
 * Runs a build. Throws FailureError if the output folder or the disk cannot be used; served files are then unchanged.
 */
export async function runBuild(store: Store, options: BuildOptions): Promise<BuildSummary> {
  checkFolders(options.hosts, options.out);
  const output = await openOutput(options.out);
  let isUnused = false;
  try {
    if (await isPlacing(output.record)) await place(output, options);
    // The staging folder may remain from a build that was killed before it recorded its files.
    rmSync(output.staging, { recursive: true, force: true });
    if (options.full) await verifyCopies(store, options);
    const first = await makeChanges(store, output, options, true);
    const changes = first.isComplete ? first : await makeChanges(store, output, options, false);
    const removed = first.isComplete ? first.removed : first.removed + changes.removed;
    await writeHosts(options.hosts, output.folder, output.record);
    const { files = 0, bytes = 0, siteHash = '', leftOut = [] } = (await readOrigin(output.record)) ?? {};
    const { written, writtenBytes, repaired } = changes;
    return { written, writtenBytes, repaired, removed, unchanged: files - written, files, bytes, siteHash, leftOut };
  } catch (error) {
    isUnused = output.isNew && (await readOrigin(output.record).catch(() => null)) === undefined;
    throw explainOutputError(error, options.out);
  } finally {
    await output.close();
    if (isUnused) forgetOutput(output);
  }
}

interface Changes extends ChangeCounts {
  /** False if the build must run again, since it only made room on the disk. */
  readonly isComplete: boolean;
}

/**
 * Plans a build, and places its files. `mayMakeRoom`: true to leave out contracts that get the paths of their twins.
 * Their files can be placed only after the files of the twins are removed.
 */
async function makeChanges(
  store: Store,
  output: Output,
  options: BuildOptions,
  mayMakeRoom: boolean,
): Promise<Changes> {
  // The transaction reads one state of the index, even if an index run changes the index at the same time.
  const snapshot = store.transaction().setAccessMode('read only');
  const changes = await snapshot.execute(async (reader) => {
    const last = await readOrigin(output.record);
    const { leftOut, kept } = await readLeftOut(reader, output, options);
    // On a disk that respects case, both twins had files, which are one file if the site was copied to this disk.
    const before = last?.ignoresCase ? last.leftOut : last && kept;
    const excluded = new Set(leftOut).union(new Set(mayMakeRoom && output.ignoresCase ? before : []));
    const counts = await withoutContracts(reader, [...excluded], () =>
      plan(reader, output, last, [...excluded], options),
    );
    return { ...counts, isComplete: excluded.size === leftOut.length };
  });
  if (await isPlacing(output.record)) await place(output, options);
  return changes;
}

/** Plans a build. If nothing has changed, returns without loading the renderer. */
async function plan(
  reader: StoreReader,
  output: Output,
  last: BuildOrigin | undefined,
  leftOut: readonly string[],
  options: BuildOptions,
): Promise<ChangeCounts> {
  const origin = await readBuildOrigin(reader, options, { leftOut, ignoresCase: output.ignoresCase });
  if (last !== undefined && !options.replace) checkIsSameIndex(origin, last, options);
  if (isSampleReplaced(origin, last))
    options.reporter.info(`${options.out} holds the site of the bundled sample. This build replaces it.`);
  // A copy to a disk that treats case differently may have lost or mixed files.
  const full = options.full === true || (last?.ignoresCase ?? origin.ignoresCase) !== origin.ignoresCase;
  const since = full ? 0 : await builtRevision(reader, origin, last);
  const hasSameExamples = last?.examples === origin.examples;
  if (since === origin.revision && last?.extras === origin.extras && hasSameExamples) return NOTHING_CHANGED;
  const { planBuild } = await import('./plan-build.ts');
  const planned = { ...options, full, curatedChanges: curatedChanges(origin, last) };
  return await planBuild(reader, { output, options: planned, origin, since, hasSameExamples });
}

/** Makes the output folder equal to the record. */
async function place(output: Output, { reporter }: BuildOptions): Promise<void> {
  await placeFiles(output, reporter);
  await endPlacing(output.record);
}
