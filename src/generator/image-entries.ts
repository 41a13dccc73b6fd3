// The copies of images as entries of a build: read from beside the index, one at a time, and only as they were written.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { filesOfCopy, IMAGE_FOLDER, type ImageFile } from '#layout/image-files.ts';
import { mayWrite } from '#sqlite/open-to-read.ts';
import type { Store, StoreReader } from '#store/index-database.ts';
import { changedCopies, markDamaged, readImageFiles } from '#store/tokens/images.ts';
import { commandLine } from '#text/command-line.ts';
import type { BuildOptions } from './build-options.ts';
import type { RenderedEntry } from './stage-entries.ts';

type ImageOptions = Pick<BuildOptions, 'imageFolder' | 'indexFile' | 'out' | 'verify' | 'reporter'>;

export async function* imageEntries(
  store: StoreReader,
  sinceRevision: number,
  { imageFolder, out, verify, reporter }: ImageOptions,
): AsyncGenerator<RenderedEntry> {
  let damaged = 0;
  for await (const { sha256, names, known } of copiesIn(store, sinceRevision)) {
    const own = readCopies(imageFolder, names, known);
    if (own === undefined) damaged++;
    // The published copy may be all that is left of an image.
    const bodies = own ?? readCopies(join(out, IMAGE_FOLDER), names, known);
    if (bodies === undefined) continue;
    const files = names.map((name, index) => ({ path: `${IMAGE_FOLDER}/${name}`, body: bodies[index] as Uint8Array }));
    yield { route: 'images', key: sha256, files };
  }
  if (damaged > 0 && !verify)
    reporter.warn(
      `Images that are missing from ${imageFolder} or damaged, and left out: ${damaged}. ` +
        `${commandLine('build', '--verify')} finds them all, and the next index run makes them again.`,
    );
}

/** Has the next index run make damaged copies again; says how many there are. */
export async function verifyCopies(store: Store, { imageFolder, indexFile, reporter }: ImageOptions): Promise<void> {
  const damaged: ImageFile[] = [];
  for await (const { known } of copiesIn(store, 0))
    for (const [name, file] of known) if (readCopies(imageFolder, [name], known) === undefined) damaged.push(file);
  if (damaged.length === 0) return;
  const isMarked = mayWrite(indexFile);
  if (isMarked) await store.transaction().execute((writer) => markDamaged(writer, damaged));
  const next = isMarked
    ? 'The next index run makes them again'
    : `Verify as one who may write ${indexFile}, and the next index run makes them again`;
  reporter.warn(
    `Files of images that are missing from ${imageFolder} or damaged: ${damaged.length}. ` +
      `${next}; what was published before stays.`,
  );
}

/** Images whose copies changed, with the names of their files, none if there is no copy, and what the index knows. */
async function* copiesIn(store: StoreReader, sinceRevision: number) {
  for (const { sha256, extension } of await changedCopies(store, sinceRevision)) {
    const names = extension === undefined ? [] : filesOfCopy({ sha256, extension });
    yield { sha256, names, known: await readImageFiles(store, names) };
  }
}

/** Undefined unless all are there as they were written; where that is not known, with anything in them. */
function readCopies(
  folder: string,
  names: readonly string[],
  known: ReadonlyMap<string, ImageFile>,
): Uint8Array[] | undefined {
  const files: Uint8Array[] = [];
  for (const name of names) {
    const bytes = readIfExists(join(folder, name));
    const sha256 = known.get(name)?.sha256;
    if (bytes === undefined || bytes.length === 0) return undefined;
    if (sha256 !== undefined && hash('sha256', bytes, 'hex') !== sha256) return undefined;
    files.push(bytes);
  }
  return files;
}
