// A folder as a storage to publish to: a mount, or a folder that another program serves or copies.

import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { adviseOnMount, isDiskFull } from '#files/disk-errors.ts';
import { ignoreMissing } from '#files/read-if-exists.ts';
import { makeFolder, syncFileSystem, syncNames, writeAtomically } from '#files/write-atomically.ts';
import { stop } from '#model/failure.ts';
import { inRuns } from '#sqlite/lists.ts';
import { STATE_FOLDER } from './own-objects.ts';
import type { Target, TargetObject } from './target.ts';

export function openFolderTarget(given: string): Target {
  const [folder, name] = [resolve(given), `file:${given}`];
  const pathOf = (key: string) => join(folder, key);
  const read = (key: string) => explained(() => readFile(pathOf(key)).catch(ignoreMissing));
  return {
    name,
    read,
    /** Writes the file below `.stxpress/`, which no host serves, and brings it and then its name to the disk. */
    write(object, { onlyIfNew = false } = {}) {
      return explained(() => writeOne(object, onlyIfNew));
    },
    /** Does the same with many files, with two waits for the disk instead of three for each file. */
    writeRun(objects) {
      return explained(async () => {
        const staged = objects.map(({ key, body }) => ({ path: pathOf(key), part: newPart(), body }));
        const removeParts = () => {
          for (const { part } of staged) rmSync(part, { force: true });
        };
        await makeFolder(pathOf(STATE_FOLDER));
        try {
          // Synchronous calls take a third of the processor time of others.
          for (const { part, body } of staged) writeFileSync(part, body);
          if (!(await syncFileSystem(folder))) {
            removeParts();
            for (const object of objects) await writeOne(object);
            return;
          }
          for (const parent of new Set(staged.map(({ path }) => dirname(path)))) mkdirSync(parent, { recursive: true });
          for (const { part, path } of staged) renameSync(part, path);
          await syncFileSystem(folder);
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
      for (const run of inRuns(entries ?? []))
        yield run.flatMap((entry) => {
          const path = relative(folder, join(entry.parentPath, entry.name));
          return entry.isDirectory() ? [] : path.replaceAll(sep, '/');
        });
    },
    /** The server of the folder decides on headers. */
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

  /** As a storage of objects has it, a folder is there while something is in it. */
  async function removeEmpty(empty: string): Promise<void> {
    try {
      for (let one = empty; one.startsWith(`${folder}${sep}`); one = dirname(one)) await rmdir(one);
    } catch {
      // It holds something.
    }
  }

  async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (isDiskFull(error)) throw stop('disk-full', `${name} is full (${message}).`, error);
      const advice = adviseOnMount(error) ?? 'Name a folder that you may write.';
      throw stop('target-refused', `${name} cannot be used (${message}). ${advice}`, error);
    }
  }
}
