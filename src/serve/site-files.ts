// What is remembered of a site's files from one request to the next: bodies, compressed ones too, and ETags.
import type { BigIntStats } from 'node:fs';
import { Bodies, type HeldBody } from './bodies.ts';
import { compress, type Encoding } from './compress.ts';
import { isSameFile } from './find-file.ts';

/** Of bodies in memory, and of one of them. A file that has no room there is read as it is sent. */
const MOST_BYTES = 64_000_000;
const LARGEST_BYTES = 4_000_000;
/** As many as libuv has threads; one may take 10 MB while it is made. Beside them, other bodies go as they are. */
const MOST_COMPRESSIONS = 4;
const MOST_TAGS = 10_000;
/** A file that has just changed may change again at the same time: the clocks of file systems tick. */
const UNSETTLED_MS = 100;

export class SiteFiles {
  readonly folder: string;
  /** By their tags. */
  readonly bodies = new Bodies(MOST_BYTES, LARGEST_BYTES);
  readonly #tags = new Map<string, { readonly stats: BigIntStats; readonly tag: string }>();
  #compressions = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The tag of a file that has not changed since it was remembered. */
  tagOf(path: string, stats: BigIntStats): string | undefined {
    const known = this.#tags.get(path);
    return known !== undefined && isSameFile(known.stats, stats) ? known.tag : undefined;
  }

  remember(path: string, stats: BigIntStats, tag: string): void {
    if (Date.now() - Number(stats.ctimeMs) < UNSETTLED_MS) return;
    this.#tags.set(path, { stats, tag });
    const [oldest = ''] = this.#tags.keys();
    if (this.#tags.size > MOST_TAGS) this.#tags.delete(oldest);
  }

  /** Undefined where there is no room for it now. */
  compressed(tag: string, bytes: Buffer, encoding: Encoding): HeldBody | undefined {
    const body = this.bodies.get(tag);
    if (body !== undefined || this.#compressions >= MOST_COMPRESSIONS) return body;
    return this.bodies.add(tag, bytes.length, async () => {
      this.#compressions++;
      try {
        return await compress(bytes, encoding);
      } finally {
        this.#compressions--;
      }
    });
  }
}
