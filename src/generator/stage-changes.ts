// Stages changed files, and records the files of the next site. The served files stay unchanged.

import { setImmediate } from 'node:timers/promises';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type FailureError, stop } from '#model/failure.ts';
import type { Route } from '#routes/route.ts';
import type { Changes, RenderOptions } from '#routes/subject.ts';
import { findObstacle } from './obstacles.ts';
import type { Output } from './open-output.ts';
import type { RecordedFile, RecordWriter } from './record/build-record.ts';
import {
  findObsolete,
  findTaken,
  insertTaken,
  keepObsolete,
  readFilesOf,
  releaseTaken,
  removeAt,
  removeEntries,
  removeOtherRoutes as removeOthers,
  writeFiles,
} from './record/changes.ts';
import { readAt } from './record/recorded-files.ts';
import type { SiteSum } from './site-hash.ts';
import {
  type EntriesToStage,
  nothingStaged,
  type RenderedEntry,
  type Staged,
  type StageTarget,
  stageFiles,
} from './stage-entries.ts';
import { openStageThread } from './stage-thread.ts';

interface StageOptions {
  readonly output: Output;
  readonly record: RecordWriter;
  readonly siteSum: SiteSum;
  /** True to compare each file with the bytes on the disk, and to write it again if they differ. */
  readonly comparesBytes: boolean;
  /** True if the build stages all served entries, and removes all other recorded files. */
  readonly isEverything: boolean;
  readonly expectedEntries: number;
  readonly signal: AbortSignal | undefined;
  readonly onEntries: (count: number) => void;
}

/** The maximum number of pages of entries that are rendered or queued while another page is recorded. */
const AHEAD = 6;

export type Stager = ReturnType<typeof openStager>;

export interface StagedCounts {
  readonly written: number;
  readonly writtenBytes: number;
  /** The number of written files that were missing or damaged on the disk. */
  readonly repaired: number;
}

/**
 * Returns functions that stage entries and record their files. After an error, the caller discards the staging folder
 * and the transaction.
 */
export function openStager({ expectedEntries, onEntries, ...options }: StageOptions) {
  const { output, record, siteSum, comparesBytes, isEverything, signal } = options;
  const target: StageTarget = {
    staging: output.staging,
    folder: output.isNew ? undefined : output.folder,
    comparesBytes,
    hasDevices: output.hasDevices,
  };
  const thread = openStageThread(expectedEntries);
  const stagedRoutes = new Set<string>();
  const counts = { written: 0, writtenBytes: 0, repaired: 0 };
  /** Paths of new files that another file or folder occupied when they were staged. */
  const occupied: string[] = [];
  return {
    stage,
    stageEntries,
    removeOtherRoutes,
    checkOccupied,
    checkStop,
    counts: counts as StagedCounts,
    [Symbol.asyncDispose]: thread.close,
  };

  /**
   * Stages the rendered entries of a route. The entries must be sorted by key. Throws FailureError `path-collision`.
   */
  async function stage(route: string, entries: AsyncIterable<RenderedEntry> | Iterable<RenderedEntry>): Promise<void> {
    const recorded = recordOf([route]);
    for await (const entry of entries) {
      const files = nothingStaged();
      stageFiles(files, target, entry, await recorded.readByKeys([entry.key]));
      await note(files);
      if (files.collision !== undefined) throw explainCollision(files.collision);
    }
    await recorded.removeRest();
  }

  /** Renders and stages entries for all routes of a subject, page by page. Throws FailureError `path-collision`. */
  async function stageEntries(
    routes: readonly Route[],
    { pages, isComplete }: Changes,
    { publicUrl, siteHash }: RenderOptions,
  ): Promise<void> {
    const ids = routes.map((route) => route.id);
    const recorded = recordOf(ids, isComplete);
    async function* tasks(): AsyncGenerator<EntriesToStage> {
      for await (const entries of pages) {
        if (entries.length === 0) continue;
        // Lets the event loop receive results of the thread.
        await setImmediate();
        const keys = entries.map(({ key }) => key);
        const recordedFiles = await recorded.readByKeys(keys, entries[0]?.after);
        yield { routes: ids, entries, recorded: recordedFiles, target, options: { publicUrl, siteHash } };
      }
    }
    const results = runAhead(tasks(), AHEAD, async (task) => ({
      files: await thread.stage(task),
      entries: task.entries.length,
    }));
    for await (const { files, entries } of results) {
      if (files.collision !== undefined) throw explainCollision(files.collision);
      await note(files);
      onEntries(entries);
    }
    await recorded.removeRest();
  }

  /** Removes the files of all routes that were not staged. Keeps `laterRoutes`, which are staged later. */
  async function removeOtherRoutes(laterRoutes: readonly string[]): Promise<void> {
    // A build of everything computes the hash of the site from all files, so it needs no list of the removed ones.
    if (isEverything) await removeOthers(record, [...stagedRoutes, ...laterRoutes]);
  }

  /**
   * Returns functions that read the recorded files of routes by key. If all entries are staged, they also remove the
   * files under keys that were not asked for.
   */
  function recordOf(routes: readonly string[], isComplete = false) {
    const removesRest = (isComplete || isEverything) && !output.isNew;
    for (const route of routes) stagedRoutes.add(route);
    let last: string | undefined;
    const remove = async (after: string | undefined, upTo: string | undefined, but: readonly string[]) =>
      siteSum.remove(await removeEntries(record, routes, { after, upTo, but }));
    return {
      /**
       * Reads the recorded files of keys. With `after`, removes other files from `after` to the last key, since no
       * other entries are served there.
       */
      readByKeys: async (keys: readonly string[], after?: string): Promise<RecordedFile[]> => {
        if (output.isNew) return [];
        const upTo = keys.at(-1);
        if (removesRest) await remove(last, upTo, keys);
        else if (after !== undefined) await remove(after, upTo, keys);
        last = upTo;
        return await readFilesOf(record, routes, keys);
      },
      removeRest: async (): Promise<void> => {
        if (removesRest) await remove(last, undefined, []);
      },
    };
  }

  /** Throws FailureError `interrupted` after an interrupt. */
  function checkStop(): void {
    if (signal?.aborted)
      throw stop(
        'interrupted',
        output.isNew
          ? `The build was interrupted before it wrote a file into ${output.folder}. Run the command again to build.`
          : `The build was interrupted. ${output.folder} still has the site of the last build. Run the command again.`,
      );
  }

  /** Records the staged files, and the removal of obsolete ones. */
  async function note(staged: Staged): Promise<void> {
    const { files } = staged;
    checkStop();
    if (!output.isNew) await giveUp(staged);
    await writeFiles(record, files);
    siteSum.add(files);
    counts.written += files.length;
    counts.writtenBytes += files.reduce((sum, { bytes }) => sum + bytes, 0);
    counts.repaired += staged.repaired;
  }

  /** Removes the obsolete files from the record, and then those that the staged files replace. */
  async function giveUp({ files, obsolete, ...staged }: Staged): Promise<void> {
    if (obsolete.length > 0) {
      await releaseTaken(record, pathsOf(obsolete));
      // Another entry may already have the path of an obsolete file.
      const { replaced } = await readRecorded(obsolete);
      siteSum.remove(await removeAt(record, pathsOf(replaced)));
    }
    const { replaced, taken, added } = await readRecorded(files);
    siteSum.remove([...replaced, ...taken]);
    await insertTaken(record, taken);
    const removed = await findObsolete(record, pathsOf(added));
    await keepObsolete(record, removed);
    for (const path of new Set(staged.occupied).intersection(new Set(pathsOf(added))))
      if (!removed.has(path)) occupied.push(path);
  }

  /** Reads the recorded files that files replace: files of the same entry, and files taken from other entries. */
  async function readRecorded(files: readonly RecordedFile[]) {
    const recorded = files.length === 0 ? new Map<string, RecordedFile>() : await readAt(record, pathsOf(files));
    const [replaced, taken, added] = [[], [], []] as [RecordedFile[], RecordedFile[], RecordedFile[]];
    for (const file of files) {
      const before = recorded.get(file.path);
      if (before === undefined) added.push(file);
      else if (before.route === file.route && before.key === file.key) replaced.push(before);
      else taken.push(before);
    }
    return { replaced, taken, added };
  }

  /**
   * Throws FailureError `path-collision` if the path of a new file would still be occupied. Call it when everything is
   * staged.
   */
  async function checkOccupied(): Promise<void> {
    for (const path of occupied) {
      const obstacle = await findObstacle(record, output.folder, path);
      if (obstacle !== undefined) throw explainCollision(path, obstacle);
    }
    const taken = await findTaken(record);
    if (taken !== undefined) throw explainCollision(taken);
  }
}

function explainCollision(path: string, obstacle = path): FailureError {
  const cause = obstacle === path ? 'the path is taken by another file or folder' : `${obstacle} is in the way`;
  return stop(
    'path-collision',
    `The build needs ${path} for a new file, but ${cause}. ` +
      'Nothing was changed. Remove it, or choose another folder with --out.',
  );
}

function pathsOf(files: readonly RecordedFile[]): string[] {
  return files.map(({ path }) => path);
}
