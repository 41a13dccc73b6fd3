// A folder as a storage to publish to: a mount, or what another program serves or copies.
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Failure, fail } from '#model/failure.ts';
import type { ListedObject, ListOptions, Target, TargetObject } from './target.ts';

export class FolderTarget implements Target {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.name = `file:${folder}`;
  }

  async read(key: string): Promise<Buffer | undefined | Failure> {
    try {
      return await readFile(this.#pathOf(key));
    } catch (error) {
      return isMissing(error) ? undefined : explain(error);
    }
  }

  /** By way of a file beside it, which is on the disk before it takes its place. */
  async write(
    { key, body }: TargetObject,
    { onlyIfNew = false }: { onlyIfNew?: boolean } = {},
  ): Promise<'written' | 'exists' | Failure> {
    const path = this.#pathOf(key);
    const target = onlyIfNew ? path : `${path}.part`;
    try {
      await mkdir(dirname(path), { recursive: true });
      const file = await open(target, onlyIfNew ? 'wx' : 'w');
      try {
        await file.writeFile(body);
        await file.sync();
      } finally {
        await file.close();
      }
      if (!onlyIfNew) await rename(target, path);
      return 'written';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EEXIST' && onlyIfNew ? 'exists' : explain(error);
    }
  }

  async remove(key: string): Promise<'removed' | Failure> {
    try {
      await rm(this.#pathOf(key), { force: true });
      await this.#removeEmpty(dirname(this.#pathOf(key)));
      return 'removed';
    } catch (error) {
      return explain(error);
    }
  }

  async *list({ prefix = '' }: ListOptions = {}): AsyncGenerator<ListedObject[]> {
    const entries = await readdir(join(this.#folder, prefix), { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      },
    );
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const md5 = createHash('md5')
        .update(await readFile(path))
        .digest('hex');
      yield [{ key: relative(this.#folder, path).replaceAll(sep, '/'), md5 }];
    }
  }

  async close(): Promise<void> {}

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
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function explain(error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? fail('disk-full', message, error)
    : fail('target-refused', message, error);
}
