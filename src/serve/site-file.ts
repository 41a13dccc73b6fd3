// Opens a file of a site by its path. A symbolic link in the path, below the root, is not followed.
import { hash } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { READ_FLAGS } from '#files/open-regular.ts';

/**
 * Codes of errors that mean that a file does not exist: its name is impossible, such as a text of 10 KB, or it was just
 * removed.
 */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ENXIO']);

/** The maximum size of a file that is read entirely when it is opened, in bytes. Larger files are sent in pieces. */
export const MAX_READ_BYTES = 65_536;
/** The precision of file times, in milliseconds. Two changes within this time may leave the same time. */
const TIME_STEP_MS = 2_000;

/** Returns the real path of a folder, which may be a link to another folder at any time. Undefined if it is missing. */
export function findRoot(folder: string): string | undefined {
  return orAbsent(() => realpathSync.native(folder));
}

/**
 * Opens a file. Undefined if it is missing, or if a part of its path is a link, since a link may lead out of the site.
 */
export function openSiteFile(root: string, file: string): SiteFile | undefined {
  const path = join(root, file);
  if (!path.startsWith(root + sep)) return undefined;
  return orAbsent(() => {
    // `path` differs from its real path if a part of it is a link, or differs in case from the name on the disk.
    if (foldLocale(realpathSync.native(path)) !== foldLocale(path)) return undefined;
    const opened = new SiteFile(path);
    if (opened.isFile) return opened;
    opened.close();
    return undefined;
  });
}

/** Writes the folder of a locale in lower case. On a disk that ignores case, `en` and `EN` have one folder. */
function foldLocale(path: string): string {
  return path.replace(/(?<=[/\\]variants[/\\]locale[/\\])[^/\\]+/, (locale) => locale.toLowerCase());
}

/** An open file. If a build replaces the file, this object still reads the old content. */
export class SiteFile {
  /** The content of the file; undefined if the file is too large to be read when it is opened. */
  readonly bytes: Buffer | undefined;
  readonly size: number;
  readonly isFile: boolean;
  readonly path: string;
  readonly #descriptor: number;
  readonly #stat: BigIntStats;
  #isOpen = true;

  constructor(path: string) {
    this.path = path;
    this.#descriptor = openSync(path, READ_FLAGS);
    const stat = fstatSync(this.#descriptor, { bigint: true });
    this.#stat = stat;
    this.isFile = stat.isFile();
    this.size = Number(stat.size);
    if (!this.isFile || this.size > MAX_READ_BYTES) return;
    this.bytes = this.readAll();
    this.size = this.bytes.length;
  }

  /**
   * The ETag: a hash of the content, or of the size and times of a large file. Null for a large file that has just
   * changed, since another change might not change its time.
   */
  get tag(): string | null {
    if (this.bytes !== undefined) return `"${hash('sha1', this.bytes)}"`;
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = this.#stat;
    if (Date.now() - Number(ctimeMs) <= TIME_STEP_MS) return null;
    // Programs can set the time of modification (`mtime`), but not the time of the change (`ctime`).
    return `"${hash('sha1', [dev, ino, size, mtimeNs, ctimeNs].join(' '))}"`;
  }

  /** True if a program has written into the file since it was opened. A build never does this: it replaces files. */
  get isChanged(): boolean {
    const { size, mtimeNs } = fstatSync(this.#descriptor, { bigint: true });
    return size !== this.#stat.size || mtimeNs !== this.#stat.mtimeNs;
  }

  readAll(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    return bytes.subarray(0, this.read(bytes, 0));
  }

  /**
   * Fills the buffer with bytes of the file from a position on. Returns the number of bytes; it is smaller than the
   * buffer only at the end of the file.
   */
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
