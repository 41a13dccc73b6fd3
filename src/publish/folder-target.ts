// A folder as a storage to publish to: a mount, or what another program serves or copies.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type FailureError, stop } from '#model/failure.ts';
import { inRuns } from '#sqlite/lists.ts';
import { STATE_FOLDER } from './own-objects.ts';
import type { Target, TargetObject } from './target.ts';

/** What a file system says that has no hard links. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export class FolderTarget implements Target {
  readonly name: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = resolve(folder);
    this.name = `file:${folder}`;
  }

  read(key: string): Promise<Buffer | undefined> {
    return this.#explained(() => ifThere(readFile(this.#pathOf(key))));
  }

  /** By way of a file that nobody serves, which is on the disk before it gets its name; then the name is, too. */
  write({ key, body }: TargetObject, { onlyIfNew = false } = {}): Promise<'written' | 'exists'> {
    const [path, unfinished] = [this.#pathOf(key), this.#pathOf(`${STATE_FOLDER}${randomUUID()}.part`)];
    return this.#explained(async () => {
      await makeFolder(dirname(unfinished));
      try {
        const file = await open(unfinished, 'wx');
        try {
          await file.writeFile(body);
          await file.sync();
        } finally {
          await file.close();
        }
        await makeFolder(dirname(path));
        if (onlyIfNew && (await hasName(unfinished, path))) return 'exists';
        if (!onlyIfNew) await rename(unfinished, path);
        await syncNames(dirname(path));
        return 'written';
      } finally {
        await rm(unfinished, { force: true });
      }
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
    const entries = await this.#explained(() => ifThere(readdir(within, { recursive: true, withFileTypes: true })));
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

  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#explain(error as NodeJS.ErrnoException);
    }
  }

  #explain(error: NodeJS.ErrnoException): FailureError {
    const { code, message } = error;
    if (code === 'ENOSPC' || code === 'EDQUOT') return stop('disk-full', `${this.name} is full (${message}).`, error);
    return stop('target-refused', `${this.name} cannot be used (${message}). Name a folder that you may write.`, error);
  }
}

async function ifThere<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Gives a file a name, too. Returns whether another one has it. */
async function hasName(path: string, name: string): Promise<boolean> {
  try {
    await link(path, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (!NO_LINKS.has(code)) throw error;
    // Publishers notice that two can write it, and wait for one another.
    await rename(path, name);
  }
  return false;
}

/** With the names of folders that were not there on the disk. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await syncNames(dirname(made));
    if (made === first) return;
  }
}

async function syncNames(folder: string): Promise<void> {
  // Windows opens no folders, and needs no such sync.
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
