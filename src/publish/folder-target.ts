// A folder as a storage to publish to: a mount, or what another program serves or copies.

import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isDiskFull } from '#files/disk-errors.ts';
import { absent } from '#files/read-if-there.ts';
import { makeFolder, syncNames, writeWhole } from '#files/write-whole.ts';
import { stop } from '#model/failure.ts';
import { inRuns } from '#sqlite/lists.ts';
import { STATE_FOLDER } from './own-objects.ts';
import type { Target, TargetObject } from './target.ts';

export class FolderTarget implements Target {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.name = `file:${folder}`;
  }

  read(key: string): Promise<Buffer | undefined> {
    return this.#explained(() => readFile(this.#pathOf(key)).catch(absent));
  }

  /** By way of a file that nobody serves, which is on the disk before it gets its name; then the name is, too. */
  write({ key, body }: TargetObject, { onlyIfNew = false } = {}): Promise<'written' | 'exists'> {
    const [path, beside] = [this.#pathOf(key), this.#pathOf(`${STATE_FOLDER}${randomUUID()}.part`)];
    return this.#explained(async () => {
      for (const folder of [dirname(beside), dirname(path)]) await makeFolder(folder);
      if (!(await writeWhole(path, body, { beside, isDurable: true, onlyIfNew }))) return 'exists';
      await syncNames(dirname(path));
      return 'written';
    });
  }

  remove(key: string): Promise<void> {
    return this.#explained(async () => {
      await rm(this.#pathOf(key), { force: true });
      await this.#removeEmpty(dirname(this.#pathOf(key)));
    });
  }

  async *list(prefix = ''): AsyncGenerator<string[]> {
    const within = join(this.#folder, prefix);
    const entries = await this.#explained(() =>
      readdir(within, { recursive: true, withFileTypes: true }).catch(absent),
    );
    for (const run of inRuns(entries ?? []))
      yield run.flatMap((entry) => {
        const path = relative(this.#folder, join(entry.parentPath, entry.name));
        return entry.isDirectory() ? [] : path.replaceAll(sep, '/');
      });
  }

  /** Whoever serves it decides on headers. */
  async has({ key, body }: TargetObject): Promise<boolean> {
    return (await this.read(key))?.equals(body) ?? false;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #pathOf(key: string): string {
    return join(this.#folder, key);
  }

  /** As a storage of objects has it, a folder is there while something is in it. */
  async #removeEmpty(folder: string): Promise<void> {
    try {
      for (let one = folder; one.startsWith(`${this.#folder}${sep}`); one = dirname(one)) await rmdir(one);
    } catch {
      // It holds something.
    }
  }

  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (isDiskFull(error)) throw stop('disk-full', `${this.name} is full (${message}).`, error);
      const advice = 'Name a folder that you may write.';
      throw stop('target-refused', `${this.name} cannot be used (${message}). ${advice}`, error);
    }
  }
}
