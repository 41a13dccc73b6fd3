// Stages changed files, and plans the changes of the output folder. The served files stay unchanged.

import { setImmediate } from 'node:timers/promises';
import { runAhead } from '#concurrency/run-ahead.ts';
import { type FailureError, stop } from '#model/failure.ts';
import type { Route } from '#routes/route.ts';
import type { Changes, RenderOptions } from '#routes/subject.ts';
import { openOccupied } from './occupied-paths.ts';
import type { Output } from './open-output.ts';
import type { RecordedFile, RecordWriter } from './record/build-record.ts';
import { insertChanges, removeEntries, removeOtherRoutes as removeOthers } from './record/changes.ts';
import { findFolded, insertFiles, readFilesOf } from './record/recorded-files.ts';
import { type EntriesToStage, type RenderedEntry, type Staged, type StageTarget, stageFiles } from './stage-entries.ts';
import { openStageThread } from './stage-thread.ts';

interface StageOptions {
  readonly output: Output;
  readonly record: RecordWriter;
  /** Paths of damaged files, which are written even if their content has not changed. */
  readonly damaged: ReadonlySet<string>;
  /** True if the build stages all served entries, and removes all other recorded files. */
  readonly isEverything: boolean;
  readonly expectedEntries: number;
  readonly signal: AbortSignal | undefined;
  readonly onEntries: (count: number) => void;
}

/** The maximum number of pages of entries that are rendered or queued while another page is recorded. */
const AHEAD = 6;

export type Stager = ReturnType<typeof openStager>;

/**
 * Returns functions that stage entries and plan removals. After an error, the caller discards the staging folder and
 * the plan.
 */
export function openStager({ expectedEntries, onEntries, ...options }: StageOptions) {
  const { output, record, damaged, isEverything, signal } = options;
  const target: StageTarget = { staging: output.staging, folder: output.isNew ? undefined : output.folder };
  const thread = openStageThread(expectedEntries);
  const stagedRoutes = new Set<string>();
  const occupied = openOccupied(record, output.folder);
  return { stage, stageEntries, removeOtherRoutes, checkOccupied, [Symbol.asyncDispose]: thread.close };

  /**
   * Stages the rendered entries of a route. The entries must be sorted by key. Throws FailureError `path-collision`.
   */
  async function stage(route: string, entries: AsyncIterable<RenderedEntry> | Iterable<RenderedEntry>): Promise<void> {
    const recorded = recordOf([route]);
    for await (const entry of entries) {
      const files: Staged = { changes: [], occupied: [] };
      stageFiles(files, target, entry, await recorded.readByKeys([entry.key]));
      await plan(files);
      if (files.collision !== undefined) throw await explainCollision(files.collision);
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
    let collision: string | undefined;
    async function* tasks(): AsyncGenerator<EntriesToStage> {
      for await (const entries of pages) {
        if (entries.length === 0) continue;
        // Tasks that were already started are still planned before the error, since one of them may write the colliding
        // path.
        if (collision !== undefined) return;
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
      collision ??= files.collision;
      await plan(files);
      onEntries(entries);
    }
    if (collision !== undefined) throw await explainCollision(collision);
    await recorded.removeRest();
  }

  /** Plans to remove the files of all routes that were not staged. Keeps `laterRoutes`, which are staged later. */
  async function removeOtherRoutes(laterRoutes: readonly string[]): Promise<void> {
    if (isEverything) await removeOthers(record, [...stagedRoutes, ...laterRoutes]);
  }

  /**
   * Returns functions that read the recorded files of routes by key. If all entries are staged, they also plan the
   * removal of files under keys that were not asked for.
   */
  function recordOf(routes: readonly string[], isComplete = false) {
    const removesRest = (isComplete || isEverything) && !output.isNew;
    for (const route of routes) stagedRoutes.add(route);
    let last: string | undefined;
    const withoutHash = (file: RecordedFile) => (damaged.has(file.path) ? { ...file, hash: '' } : file);
    return {
      /**
       * Reads the recorded files of keys. With `after`, plans to remove other files from `after` to the last key, since
       * no other entries are served there.
       */
      readByKeys: async (keys: readonly string[], after?: string): Promise<RecordedFile[]> => {
        if (output.isNew) return [];
        const upTo = keys.at(-1);
        if (removesRest) await removeEntries(record, routes, { after: last, upTo, but: keys });
        else if (after !== undefined) await removeEntries(record, routes, { after, upTo, but: keys });
        last = upTo;
        return (await readFilesOf(record, routes, keys)).map(withoutHash);
      },
      removeRest: async (): Promise<void> => {
        if (removesRest) await removeEntries(record, routes, { after: last, upTo: undefined, but: [] });
      },
    };
  }

  async function plan({ changes, occupied: paths }: Staged): Promise<void> {
    if (signal?.aborted)
      throw stop(
        'interrupted',
        output.isNew
          ? `The build was interrupted before it wrote a file into ${output.folder}. Run the command again to build.`
          : `The build was interrupted. ${output.folder} still has the site of the last build. Run the command again.`,
      );
    if (output.isNew) return insertFiles(record, changes);
    if (paths.length > 0) await occupied.claim(paths);
    await insertChanges(record, changes);
  }

  /**
   * Throws FailureError `path-collision` if the path of a new file would still be occupied. Call it when everything is
   * staged.
   */
  async function checkOccupied(): Promise<void> {
    const path = await occupied.findCollision();
    if (path !== undefined) throw await explainCollision(path);
  }

  async function explainCollision(path: string): Promise<FailureError> {
    const other = await findFolded(record, path);
    if (other !== undefined && other !== path) {
      return stop(
        'path-collision',
        `The file system of ${output.folder} ignores case, and the paths of two files differ only in case: ` +
          `${other} and ${path}. Nothing was changed. Build into a folder on a case-sensitive file system.`,
      );
    }
    return stop(
      'path-collision',
      `The build needs ${path} for a new file, but the path is taken by another file or folder. ` +
        'Nothing was changed. Remove it, or choose another folder with --out.',
    );
  }
}
