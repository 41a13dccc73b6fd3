// Reads and writes the list of published files in the target. Each line has the beginning of a file's SHA-256 and its
// path. The compressed list is streamed, since the text for a large site exceeds the maximum length of a string.
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { stop } from '#model/failure.ts';
import { foreignObject, isOutside, LIST_KEY, STATE_FOLDER, writeOwn } from './own-objects.ts';
import { type KnownFile, type Published, readKnown } from './published-record.ts';
import type { Target } from './target.ts';

const UNKNOWN = '?';
/** Matches a line of a list. */
const LINE = /^([0-9a-f]{16}|\?) {2}(.+)$/s;
/** A limit above the length of any line of a list. */
const MAX_LINE_LENGTH = 10_000;

/** Writes the list to the target, with all files of the local record. */
export async function writeList(target: Target, published: Published): Promise<void> {
  await writeOwn(target, LIST_KEY, await pipeline(formatFiles(published), createZstdCompress(), buffer));
}

async function* formatFiles(published: Published): AsyncGenerator<string> {
  for await (const files of readKnown(published))
    yield files.map(({ path, sha256 }) => `${sha256 ?? UNKNOWN}  ${path}\n`).join('');
}

/** Yields the files of a list. Throws `target-foreign` for a list that stxpress did not write. */
export async function* parseList(target: Target, body: Buffer): AsyncGenerator<readonly KnownFile[]> {
  for await (const lines of linesOf(body, () => foreignObject(target, LIST_KEY)))
    yield lines.map((line) => {
      const [, digest = '', path = ''] = LINE.exec(line) ?? [];
      if (path === '') throw foreignObject(target, LIST_KEY);
      if (isOutside(path)) throw outside(target, path);
      return { path, sha256: digest === UNKNOWN ? undefined : digest };
    });
}

/**
 * Yields the lines of a compressed text. Throws the error of `notText` if the text cannot be decompressed, or its last
 * line has no newline.
 */
async function* linesOf(body: Buffer, notText: () => Error): AsyncGenerator<string[]> {
  const text = new TextDecoder();
  const decompressed = createZstdDecompress();
  decompressed.end(body);
  let rest = '';
  try {
    for await (const bytes of decompressed) {
      const lines = (rest + text.decode(bytes as Buffer, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_LENGTH) break;
      yield lines;
    }
  } catch {
    throw notText();
  }
  if (rest !== '') throw notText();
}

function outside(target: Target, path: string): Error {
  return stop(
    'target-foreign',
    `${target.name} has a list of published files in ${STATE_FOLDER} that names ${path}, which is not a ` +
      'file of a site. Nothing was changed. Find out who wrote the list, then remove that folder.',
  );
}
