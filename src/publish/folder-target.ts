// A folder as a storage to publish to: a mount, or what another program serves or copies.

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { adviseOnMount, isDiskFull } from '#files/disk-errors.ts';
import { absent } from '#files/read-if-there.ts';
import { makeFolder, syncNames, writeWhole } from '#files/write-whole.ts';
import { stop } from '#model/failure.ts';
import { inRuns } from '#sqlite/lists.ts';
import { STATE_FOLDER } from './own-objects.ts';
import type { Target } from './target.ts';

export function openFolderTarget(given: string): Target {
  const [folder, name] = [resolve(given), `file:${given}`];
  const pathOf = (key: string) => join(folder, key);
  const read = (key: string) => explained(() => readFile(pathOf(key)).catch(absent));
  return {
    name,
    read,
    /** By way of a file that nobody serves, which is on the disk before it gets its name; then the name is, too. */
    write({ key, body }, { onlyIfNew = false } = {}) {
      const [path, beside] = [pathOf(key), pathOf(`${STATE_FOLDER}${randomUUID()}.part`)];
      return explained(async () => {
        for (const one of [dirname(beside), dirname(path)]) await makeFolder(one);
        if (!(await writeWhole(path, body, { beside, isDurable: true, onlyIfNew }))) return 'exists';
        await syncNames(dirname(path));
        return 'written';
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
      const entries = await explained(() => readdir(within, { recursive: true, withFileTypes: true }).catch(absent));
      for (const run of inRuns(entries ?? []))
        yield run.flatMap((entry) => {
          const path = relative(folder, join(entry.parentPath, entry.name));
          return entry.isDirectory() ? [] : path.replaceAll(sep, '/');
        });
    },
    /** Whoever serves it decides on headers. */
    has: async ({ key, body }) => (await read(key))?.equals(body) ?? false,
    async [Symbol.asyncDispose]() {},
  };

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
