// Compresses the bodies of responses. Limits the time that this thread spends, the number of other threads, and the
// memory.
import type { ServerResponse } from 'node:http';
import QuickLRU from 'quick-lru';
import { compress, compressInPlace, type Encoding } from './compress.ts';
import type { SiteFile } from './site-file.ts';
import type { Turns } from './turns.ts';

/** The maximum size of a file that is compressed, in bytes. Larger files are sent uncompressed. */
export const MAX_COMPRESSED_BYTES = 1_000_000;
/**
 * The maximum size in bytes of a body that is compressed in this thread. Using another thread takes as long as
 * compressing 10 KB.
 */
const MAX_IN_PLACE_BYTES = 65_536;
/**
 * The maximum number of bodies that are compressed in other threads at the same time. Node has four such threads, also
 * for other work.
 */
const MAX_RUNNING = 2;
/** The maximum total size of compressed bodies in memory, in bytes. */
const MAX_REMEMBERED_BYTES = 16_000_000;
/**
 * The maximum total size of compressed bodies that are being sent, in bytes. Some clients never read their responses.
 */
const MAX_SENT_BYTES = 16_000_000;

/** Compresses bodies. Keeps large compressed bodies in memory, since they took long. */
export class Compressor {
  /** Large compressed bodies by ETag and encoding. The limit is their total size, not their number. */
  readonly #remembered = new QuickLRU<string, Buffer>({
    maxSize: Number.POSITIVE_INFINITY,
    onEviction: (_, { length }) => {
      this.#rememberedBytes -= length;
    },
  });
  #rememberedBytes = 0;
  #running = 0;
  /** The total size of large bodies that are being sent, in bytes. */
  #sentBytes = 0;
  readonly #turns: Turns;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /**
   * Compresses a body that has this ETag. Returns undefined if too many threads or too much memory is in use; the body
   * is then sent uncompressed.
   */
  async compress(body: Buffer | SiteFile, tag: string, encoding: Encoding): Promise<Buffer | undefined> {
    const bytes = Buffer.isBuffer(body) ? body : undefined;
    if (bytes !== undefined && bytes.length <= MAX_IN_PLACE_BYTES) return compressInPlace(bytes, encoding);
    if (this.#sentBytes > MAX_SENT_BYTES) return undefined;
    const key = `${tag} ${encoding}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    if (this.#running >= MAX_RUNNING) return undefined;
    this.#running++;
    const compressing = compress(bytes ?? (body as SiteFile).readAll(), encoding);
    const compressed = await this.#turns.whileWaiting(compressing).finally(() => this.#running--);
    this.#remember(key, compressed);
    return compressed;
  }

  /** Counts a large body as being sent until its response is closed. */
  noteSent({ length }: Buffer, response: ServerResponse): void {
    if (length <= MAX_IN_PLACE_BYTES) return;
    this.#sentBytes += length;
    response.once('close', () => {
      this.#sentBytes -= length;
    });
  }

  #remember(key: string, body: Buffer): void {
    if (this.#remembered.has(key)) return;
    this.#remembered.set(key, body);
    this.#rememberedBytes += body.length;
    while (this.#rememberedBytes > MAX_REMEMBERED_BYTES) this.#remembered.evict();
  }
}
