// Implements a publish target that is a folder: a mount, or a folder that another program serves or copies.

import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { adviseOnMount, isDiskFull } from '#files/disk-errors.ts';
import { ignoreMissing } from '#files/read-if-exists.ts';
import { makeFolder, syncFileSystem, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { stop } from '#model/failure.ts';
import { inBatches } from '#sqlite/lists.ts';
import { STATE_FOLDER } from './own-objects.ts';
import type { Target, TargetObject } from './target.ts';

export function openFolderTarget(path: string): Target {
  const [folder, name] = [resolve(path), `file:${path}`];
  const pathOf = (key: string) => join(folder, key);
  const read = (key: string) => explained(() => readFile(pathOf(key)).catch(ignoreMissing));
  return {
    name,
    read,
    /**
     * Writes a temporary file below `.stxpress/`, which hosts do not serve, then moves it. Flushes both steps to the
     * disk.
     */
    write(object, { onlyIfNew = false } = {}) {
      return explained(() => writeOne(object, onlyIfNew));
    },
    /** Writes many files like `write`, but flushes twice for all files instead of three times for each file. */
    writeRun(objects) {
      return explained(async () => {
        const staged = objects.map(({ key, body }) => ({ path: pathOf(key), part: newPart(), body }));
        const removeParts = () => {
          for (const { part } of staged) rmSync(part, { force: true });
        };
        await makeFolder(pathOf(STATE_FOLDER));
        try {
          // Synchronous writes take a third of the processor time of asynchronous writes.
          for (const { part, body } of staged) writeFileSync(part, body);
          if (!(await syncFileSystem(folder))) {
            removeParts();
            for (const object of objects) await writeOne(object);
            return;
          }
          for (const parent of new Set(staged.map(({ path }) => dirname(path)))) mkdirSync(parent, { recursive: true });
          for (const { part, path } of staged) renameSync(part, path);
          if (!(await syncFileSystem(folder))) for (const { path } of staged) await syncNames(dirname(path));
        } catch (error) {
          removeParts();
          throw error;
        }
      });
    },
    remove(key) {
      return explained(async () => {
        await rm(pathOf(key), { force: true });
        await removeEmpty(dirname(pathOf(key)));
      });
    },
    async *list(prefix = '') {
      const within = join(folder, prefix);
      const entries = await explained(() =>
        readdir(within, { recursive: true, withFileTypes: true }).catch(ignoreMissing),
      );
      for (const run of inBatches(entries ?? []))
        yield run.flatMap((entry) => {
          const path = relative(folder, join(entry.parentPath, entry.name));
          return entry.isDirectory() ? [] : path.replaceAll(sep, '/');
        });
    },
    /** The program that serves the folder sets the headers. */
    hasHeaders: false,
    async [Symbol.asyncDispose]() {},
  };

  function newPart(): string {
    return pathOf(`${STATE_FOLDER}${randomUUID()}.part`);
  }

  async function writeOne({ key, body }: TargetObject, onlyIfNew = false): Promise<'written' | 'exists'> {
    const [path, part] = [pathOf(key), newPart()];
    for (const parent of [dirname(part), dirname(path)]) await makeFolder(parent);
    if (!(await writeAtomically(path, body, { temporaryPath: part, isDurable: true, onlyIfNew }))) return 'exists';
    await syncNames(dirname(path));
    return 'written';
  }

  /** Removes an empty folder, then each parent folder that becomes empty, since object storages have no folders. */
  async function removeEmpty(empty: string): Promise<void> {
    try {
      for (let parent = empty; parent.startsWith(`${folder}${sep}`); parent = dirname(parent)) await rmdir(parent);
    } catch {
      // The folder is not empty.
    }
  }

  async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (isDiskFull(error)) throw stop('disk-full', `${name} is full (${message}).`, error);
      const advice = adviseOnMount(error) ?? 'Use a folder with write access.';
      throw stop('target-refused', `${name} cannot be used (${message}). ${advice}`, error);
    }
  }
}
