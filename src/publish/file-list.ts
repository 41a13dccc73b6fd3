// Reads and writes the list of published files in the storage: for each a line with the beginning of its SHA-256 and its
// path, compressed.
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { stop } from '#model/failure.ts';
import { LIST_KEY, readOwn, STATE_FOLDER, writeOwn } from './own-objects.ts';
import { type KnownFile, type Published, readKnown } from './published.ts';
import type { Target } from './target.ts';

const UNKNOWN = '?';
const BETWEEN = '  ';
const LINE = /^(?:[0-9a-f]{16}|\?) {2}./;
/** The maximum size of a decompressed list: enough for ten million files. */
const MAX_LIST_BYTES = 2 ** 31;
/** Matches paths outside the target: a forged list must not remove other files. */
const OUTSIDE = /(?:^|\/)\.{0,2}(?:\/|$)|\0/;

/** Returns undefined if there is no list. Throws `target-foreign` for a list that stxpress did not write. */
export async function readList(target: Target): Promise<readonly KnownFile[] | undefined> {
  const files = await readOwn(target, LIST_KEY, async (body) => parseFiles(await decompress(body)));
  checkPaths(target, files ?? []);
  return files;
}

/** Writes the list of all files in the local record. */
export async function writeList(target: Target, published: Published): Promise<void> {
  const lines: string[] = [];
  for await (const files of readKnown(published))
    for (const { path, sha256 } of files) lines.push(`${sha256 ?? UNKNOWN}${BETWEEN}${path}\n`);
  await writeOwn(target, LIST_KEY, await promisify(zstdCompress)(lines.join('')));
}

/** Throws if the text is larger than the limit. */
export async function decompress(body: Buffer): Promise<string> {
  return (await promisify(zstdDecompress)(body, { maxOutputLength: MAX_LIST_BYTES })).toString();
}

/** Returns undefined if a line is malformed. */
function parseFiles(text: string): KnownFile[] | undefined {
  const lines = text.split('\n').slice(0, -1);
  if (!lines.every((line) => LINE.test(line))) return undefined;
  return lines.map((line) => {
    const end = line.indexOf(BETWEEN);
    const hash = line.slice(0, end);
    return { path: line.slice(end + BETWEEN.length), sha256: hash === UNKNOWN ? undefined : hash };
  });
}

/** Throws FailureError `target-foreign` for a path outside the target. */
export function checkPaths(target: Target, files: readonly KnownFile[]): void {
  const outside = files.find(({ path }) => OUTSIDE.test(path));
  if (outside !== undefined)
    throw stop(
      'target-foreign',
      `${target.name} has a list of published files in ${STATE_FOLDER} that names ${outside.path}, which is not a ` +
        'file of a site. Nothing was changed. Find out who wrote the list, then remove that folder.',
    );
}
