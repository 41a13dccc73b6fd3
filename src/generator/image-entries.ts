// Reads the copies of images, one at a time, as entries of a build. Skips damaged copies, and copies that no token of the
// build uses.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readIfExists } from '#files/read-if-exists.ts';
import { filesOfCopy, IMAGE_FOLDER, type ImageFile } from '#layout/image-files.ts';
import { TOKEN_STANDARDS, type TokenStandard } from '#model/token.ts';
import { standardsOf } from '#routes/subject.ts';
import { mayWrite } from '#sqlite/open-to-read.ts';
import type { Store, StoreReader } from '#store/index-database.ts';
import { changedCopies, markDamaged, readImageFiles } from '#store/tokens/images.ts';
import { commandLine } from '#text/command-line.ts';
import type { BuildOptions } from './build-options.ts';
import type { RenderedEntry } from './stage-entries.ts';

type ImageOptions = Pick<BuildOptions, 'imageFolder' | 'indexFile' | 'only' | 'out' | 'full' | 'reporter'>;

export async function* imageEntries(
  store: StoreReader,
  sinceRevision: number,
  { imageFolder, only, out, full, reporter }: ImageOptions,
): AsyncGenerator<RenderedEntry> {
  let damaged = 0;
  for await (const { sha256, names, known } of copiesIn(
    store,
    sinceRevision,
    standardsOf({ only }) ?? TOKEN_STANDARDS,
  )) {
    const copies = readCopies(imageFolder, names, known);
    if (copies === undefined) damaged++;
    // If the copy next to the index is damaged, the output folder may have an intact copy.
    const bodies = copies ?? readCopies(join(out, IMAGE_FOLDER), names, known);
    if (bodies === undefined) continue;
    const files = names.map((name, index) => ({ path: `${IMAGE_FOLDER}/${name}`, body: bodies[index] as Uint8Array }));
    yield { route: 'images', key: sha256, files };
  }
  if (damaged > 0 && !full)
    reporter.warn(
      `Images left out because their copies in ${imageFolder} are missing or damaged: ${damaged}. ` +
        `Find all of them with ${commandLine('build', '--full')}; the next index run makes them again.`,
    );
}

/** Finds damaged copies, marks them so that the next index run makes them again, and warns with their number. */
export async function verifyCopies(store: Store, { imageFolder, indexFile, reporter }: ImageOptions): Promise<void> {
  const damaged: ImageFile[] = [];
  for await (const { known } of copiesIn(store, 0))
    for (const [name, file] of known) if (readCopies(imageFolder, [name], known) === undefined) damaged.push(file);
  if (damaged.length === 0) return;
  const isMarked = mayWrite(indexFile);
  if (isMarked) await store.transaction().execute((writer) => markDamaged(writer, damaged));
  const next = isMarked
    ? 'The next index run makes them again'
    : `To have the next index run make them again, run build --full as a user who may write ${indexFile}`;
  reporter.warn(
    `Missing or damaged image files in ${imageFolder}: ${damaged.length}. ` +
      `${next}. Copies in the output folder stay.`,
  );
}

/**
 * Yields the images whose copies changed, optionally only of served tokens of some standards. Each has the file names
 * of its copy and the recorded files; both are empty without a copy.
 */
async function* copiesIn(store: StoreReader, sinceRevision: number, standards?: readonly TokenStandard[]) {
  for (const { sha256, extension } of await changedCopies(store, sinceRevision, standards)) {
    const names = extension === undefined ? [] : filesOfCopy({ sha256, extension });
    yield { sha256, names, known: await readImageFiles(store, names) };
  }
}

/** Reads the files of a copy. Undefined if a file is missing or empty, or differs from its recorded hash. */
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
