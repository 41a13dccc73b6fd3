// Opens files of a site for one response. Reads small files entirely, and compresses bodies if the client accepts it.
import type { Files } from '#serving/handle-request.ts';
import { isCompressible } from '#serving/headers.ts';
import type { NameIndexes } from '#serving/name-index.ts';
import type { Encoding } from './compress.ts';
import { type Compressor, MAX_COMPRESSED_BYTES } from './compressor.ts';
import { findRoot, openSiteFile, SiteFile } from './site-file.ts';
import type { Turns } from './turns.ts';

/** The content of a file: its bytes, or the open file if it is large and is read while it is sent. */
export type Content = Buffer | SiteFile;

interface Opening {
  readonly folder: string;
  readonly encoding: Encoding | undefined;
  /** Open files are added to this set, and the caller closes them. */
  readonly opened: Set<SiteFile>;
  readonly turns: Turns;
  readonly compressor: Compressor;
  readonly names: NameIndexes;
}

/** The minimum size of a body that is compressed, in bytes. A smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_024;

/**
 * Returns functions that open files for one request. A link to the folder is followed once, so that the response never
 * mixes two sites.
 */
export function openFiles({ folder, encoding, opened, turns, compressor, names }: Opening): Files<Content> {
  const root = findRoot(folder);
  return {
    async read(name) {
      const file = root === undefined ? undefined : openSiteFile(root, name);
      if (file === undefined) return undefined;
      opened.add(file);
      const { tag, bytes } = file;
      return { body: bytes ?? file, tag };
    },
    textOf: (body) => (body instanceof SiteFile ? body.readAll() : body).toString(),
    bytesOf: (body) => new Uint8Array(body instanceof SiteFile ? body.readAll() : body),
    names,
    async encode(body, tag, type) {
      const plain = typeof body === 'string' ? Buffer.from(body) : body;
      const size = plain instanceof SiteFile ? plain.size : plain.length;
      const uncompressed = { body: plain, tag };
      if (encoding === undefined || size < MIN_COMPRESSED_BYTES || size > MAX_COMPRESSED_BYTES) return uncompressed;
      if (!isCompressible(type)) return uncompressed;
      const compressed = await compressor.compress(plain, tag, encoding);
      if (compressed === undefined || compressed.length >= size) return uncompressed;
      return { body: compressed, tag: tag.replace(/"$/, `-${encoding}"`), encoding };
    },
    wait: (ms) => turns.whileWaiting(new Promise((resolve) => setTimeout(resolve, ms))),
  };
}
