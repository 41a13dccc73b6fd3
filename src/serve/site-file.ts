// Opens a file of a site by its path in the site. Links inside the site are not followed.
import { hash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import QuickLRU from 'quick-lru';

/** Errors for a name that a file cannot have, such as a text of 10 KB, and for a file that was just removed. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO']);
/** Opening a named pipe waits for a writer without it. Windows lacks the constant. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The maximum size of a file that is read at once, in bytes. */
const MAX_READ_BYTES = 65_536;
/** The maximum size of a file whose ETag is the hash of its content, in bytes. */
const MAX_HASHED_BYTES = 1_000_000;
/** File systems count time in steps: two changes within one step may look like one. */
const TIME_STEP_MS = 2_000;
/** SHA-1 by the version of a file. */
const hashes = new QuickLRU<string, string>({ maxSize: 10_000 });

/** Returns the real path of the folder, which may be a link that changes at any time. Undefined if it is missing. */
export function findRoot(folder: string): string | undefined {
  return orAbsent(() => realpathSync.native(folder));
}

/** Opens a file. Undefined if it is missing, or if its path has a link, which may lead out of the site. */
export function openSiteFile(root: string, file: string): SiteFile | undefined {
  const path = join(root, file);
  if (!path.startsWith(root + sep)) return undefined;
  return orAbsent(() => {
    // The real path differs if any part of the path is a link, or has another case than the name on the disk.
    if (realpathSync.native(path) !== path) return undefined;
    const opened = new SiteFile(openSync(path, FLAGS));
    if (opened.isFile) return opened;
    opened.close();
    return undefined;
  });
}

/** An open file. It stays the same file while a build replaces it. */
export class SiteFile {
  /** The content of a small file. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
  readonly isFile: boolean;
  readonly #descriptor: number;
  /** Differs after each change: a program can set the time of modification, but not the time of the change. */
  readonly #version: string;
  readonly #stat: BigIntStats;
  #isOpen = true;

  constructor(descriptor: number) {
    const stat = fstatSync(descriptor, { bigint: true });
    this.#descriptor = descriptor;
    this.#stat = stat;
    this.#version = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
    this.isFile = stat.isFile();
    this.size = Number(stat.size);
    if (!this.isFile || this.size > MAX_READ_BYTES) return;
    this.bytes = this.readAll();
    this.size = this.bytes.length;
  }

  /** The ETag. Null for a large file that changed a moment ago: its time may stay the same after the next change. */
  get tag(): string | null {
    const isSettled = Date.now() - Number(this.#stat.ctimeMs) > TIME_STEP_MS && !this.isChanged;
    if (this.size > MAX_HASHED_BYTES) return isSettled ? `"${hash('sha1', this.#version)}"` : null;
    const digest = (isSettled ? hashes.get(this.#version) : undefined) ?? hash('sha1', this.bytes ?? this.readAll());
    if (isSettled) hashes.set(this.#version, digest);
    return `"${digest}"`;
  }

  /** True if a program wrote to the file since it was opened. A build replaces files without writing to them. */
  get isChanged(): boolean {
    const { size, mtimeNs } = fstatSync(this.#descriptor, { bigint: true });
    return size !== this.#stat.size || mtimeNs !== this.#stat.mtimeNs;
  }

  readAll(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    return bytes.subarray(0, this.read(bytes, 0));
  }

  /** Fills the buffer from a position of the file on. Returns the number of bytes, fewer only at the file's end. */
  read(bytes: Buffer, position: number): number {
    let length = 0;
    while (length < bytes.length) {
      const count = readSync(this.#descriptor, bytes, length, bytes.length - length, position + length);
      if (count === 0) break;
      length += count;
    }
    return length;
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    this.#isOpen = false;
  }
}

function orAbsent<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
