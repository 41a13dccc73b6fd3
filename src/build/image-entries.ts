// The copies of images as entries of a build: read from the folder beside the index, one at a time.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_FOLDER, imageFile, thumbnailFile } from '#model/image-file.ts';
import type { Reporter } from '#model/reporter.ts';
import { changedCopies } from '#store/images.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { RenderedEntry } from './stage-files.ts';

export async function* imageEntries(
  store: StoreReader,
  sinceRevision: number,
  folder: string,
  reporter: Reporter,
): AsyncGenerator<RenderedEntry> {
  for (const { sha256, extension } of await changedCopies(store, sinceRevision)) {
    if (extension === undefined) {
      yield { route: 'images', key: sha256, files: [] };
      continue;
    }
    const names = [imageFile(sha256, extension), thumbnailFile(sha256)];
    try {
      const files = names.map((name) => ({ path: `${IMAGE_FOLDER}/${name}`, body: readFileSync(join(folder, name)) }));
      yield { route: 'images', key: sha256, files };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      reporter.warn(`The copy ${names[0]} is missing from ${folder}, and from the build.`);
    }
  }
}
