// Compresses the bodies of responses within limits of time in this thread, number of other threads, and memory.
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
/** The maximum total size of remembered bodies, in bytes. */
const MAX_REMEMBERED_BYTES = 16_000_000;
/** The maximum size of compressed bodies that are being sent, in bytes: some clients never read them. */
const MAX_SENT_BYTES = 16_000_000;

/** Compresses bodies, and remembers those that took long. */
export class Compressor {
  /** Large bodies by tag and encoding, limited by their total size. */
  readonly #remembered = new QuickLRU<string, Buffer>({
    maxSize: Number.POSITIVE_INFINITY,
    onEviction: (_, { length }) => {
      this.#rememberedBytes -= length;
    },
  });
  #rememberedBytes = 0;
  #running = 0;
  /** The size of large bodies that are being sent, in bytes. */
  #sentBytes = 0;
  readonly #turns: Turns;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** Compresses a body with this ETag. Undefined, to send it uncompressed, if all threads or the memory are in use. */
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

  /** Counts a body until its response is sent. */
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
