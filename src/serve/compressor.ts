// Compresses the bodies of responses within limits: of time in this thread, of other threads, and of memory.
import type { ServerResponse } from 'node:http';
import QuickLRU from 'quick-lru';
import { compress, compressInPlace, type Encoding } from './compress.ts';
import type { SiteFile } from './site-file.ts';
import type { Turns } from './turns.ts';

/** The size in bytes above which files are sent uncompressed. */
export const MAX_COMPRESSED_BYTES = 1_000_000;
/** The maximum size in bytes that this thread compresses: another thread costs as much time as 10 KB. */
const MAX_IN_PLACE_BYTES = 65_536;
/** The maximum number of bodies that other threads compress at a time. Node has four threads for all purposes. */
const MAX_RUNNING = 2;
/** The maximum size of remembered bodies in all, in bytes. */
const MAX_KEPT_BYTES = 16_000_000;
/** The maximum size of compressed bodies that are being sent, in bytes: some clients never read them. */
const MAX_SENT_BYTES = 16_000_000;

/** Compresses bodies, and remembers those that took long. */
export class Compressor {
  /** Large bodies by tag and encoding. Their size in all limits their number. */
  readonly #kept = new QuickLRU<string, Buffer>({
    maxSize: Number.POSITIVE_INFINITY,
    onEviction: (_, { length }) => {
      this.#keptBytes -= length;
    },
  });
  #keptBytes = 0;
  #running = 0;
  /** The size of large bodies that are being sent, in bytes. */
  #sentBytes = 0;
  readonly #turns: Turns;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Undefined if all threads or the memory are in use: the body is sent uncompressed. `tag`: the ETag of the body. */
  async compress(body: Buffer | SiteFile, tag: string, encoding: Encoding): Promise<Buffer | undefined> {
    const bytes = Buffer.isBuffer(body) ? body : undefined;
    if (bytes !== undefined && bytes.length <= MAX_IN_PLACE_BYTES) return compressInPlace(bytes, encoding);
    if (this.#sentBytes > MAX_SENT_BYTES) return undefined;
    const key = `${tag} ${encoding}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    if (this.#running >= MAX_RUNNING) return undefined;
    this.#running++;
    const compressing = compress(bytes ?? (body as SiteFile).readAll(), encoding);
    const compressed = await this.#turns.whileWaiting(compressing).finally(() => this.#running--);
    this.#keep(key, compressed);
    return compressed;
  }

  /** Counts a body until its response is sent. */
  noteSent({ length }: Buffer, response: ServerResponse): void {
    if (length <= MAX_IN_PLACE_BYTES) return;
    this.#sentBytes += length;
    response.once('close', () => {
      this.#sentBytes -= length;
    });
  }

  #keep(key: string, body: Buffer): void {
    if (this.#kept.has(key)) return;
    this.#kept.set(key, body);
    this.#keptBytes += body.length;
    while (this.#keptBytes > MAX_KEPT_BYTES) this.#kept.evict();
  }
}
