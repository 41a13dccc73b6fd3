// Reads the files for the answer to one request, and puts its body into the form in which it is sent.
import { closeSync } from 'node:fs';
import type { Encoded, Files, Found } from '#serving/answer-request.ts';
import type { HeldBody } from './bodies.ts';
import type { Encoding } from './compress.ts';
import { findFile, findRoot } from './find-file.ts';
import { type OpenFile, openFile, readBytes, tagOf } from './open-file.ts';
import type { SiteFiles } from './site-files.ts';

/** Below it, compressing saves no packet. */
const LEAST_COMPRESSED_BYTES = 1_024;

/** Bytes in memory, or an open file. */
export type SiteBody = Buffer | OpenFile;

/** Memory has no room for a body that is in no file. */
export class NoRoomError extends Error {}

/** What it reads stays in memory, or open, until it is released. */
export class RequestFiles implements Files<SiteBody> {
  readonly #site: SiteFiles;
  readonly #encoding: Encoding | undefined;
  /** Found once: no answer mixes two sites. */
  #root: string | undefined;
  readonly #held: HeldBody[] = [];
  readonly #open = new Set<OpenFile>();

  constructor(site: SiteFiles, encoding: Encoding | undefined) {
    this.#site = site;
    this.#encoding = encoding;
  }

  readonly read = async (name: string): Promise<Found<SiteBody> | undefined> => {
    this.#root ??= findRoot(this.#site.folder);
    const found = this.#root === undefined ? undefined : findFile(this.#root, name);
    if (found === undefined) return undefined;
    const known = this.#site.tagOf(found.path, found.stats);
    const body = known === undefined ? undefined : this.#site.bodies.get(known);
    if (known !== undefined && body !== undefined) return { body: await this.#hold(body), tag: known };

    const file = openFile(found.path);
    if (file === undefined) return undefined;
    this.#open.add(file);
    // From here on it is what was opened, which may be another than what was found.
    const bytes = this.#site.bodies.hasRoom(file.size) ? readBytes(file) : undefined;
    const tag = (bytes === undefined ? this.#site.tagOf(found.path, file.stats) : undefined) ?? tagOf(bytes ?? file);
    this.#site.remember(found.path, file.stats, tag);
    if (bytes === undefined) return { body: file, tag };
    this.#close(file);
    return { body: (await this.#keep(tag, bytes)) ?? bytes, tag };
  };

  readonly textOf = (body: SiteBody): string => (Buffer.isBuffer(body) ? body : readBytes(body)).toString();

  /** Compressed where the client accepts that and there is room to. Throws NoRoomError. */
  readonly encode = async (body: SiteBody | string, tag: string, type: string): Promise<Encoded<SiteBody>> => {
    const plain = typeof body === 'string' ? await this.#keep(tag, Buffer.from(body)) : body;
    if (plain === undefined) throw new NoRoomError();
    const encoding = this.#encoding;
    if (encoding === undefined || !Buffer.isBuffer(plain)) return { body: plain, tag };
    if (plain.length < LEAST_COMPRESSED_BYTES || type.startsWith('image/')) return { body: plain, tag };
    const ownTag = tag.replace(/"$/, `-${encoding}"`);
    const made = this.#site.compressed(ownTag, plain, encoding);
    if (made === undefined) return { body: plain, tag };
    const compressed = await this.#hold(made);
    return compressed.length < plain.length ? { body: compressed, tag: ownTag, encoding } : { body: plain, tag };
  };

  /** Leaves an open file to whoever reads it to its end, and closes it. */
  handOver(file: OpenFile): void {
    this.#open.delete(file);
  }

  release(): void {
    for (const body of this.#held.splice(0)) this.#site.bodies.release(body);
    for (const file of this.#open) this.#close(file);
  }

  /** Undefined where there is no room. */
  async #keep(tag: string, bytes: Buffer): Promise<Buffer | undefined> {
    const { bodies } = this.#site;
    const body = bodies.get(tag) ?? bodies.add(tag, bytes.length, () => bytes);
    return body && this.#hold(body);
  }

  async #hold(body: HeldBody): Promise<Buffer> {
    this.#held.push(body);
    return body.bytes;
  }

  #close(file: OpenFile): void {
    this.#open.delete(file);
    closeSync(file.fd);
  }
}
