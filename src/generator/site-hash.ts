// Computes the hash of a site, and stores it in the record. The hash covers responses. It excludes documents, images,
// dumps and files of hosts, which depend on how and where a site is built.

import { sumResponses } from '#model/site-hash.ts';
import { ROUTES } from '#routes/all.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import type { RecordedFile, RecordWriter } from './record/build-record.ts';
import { readFiles } from './record/recorded-files.ts';

export type SiteSum = Awaited<ReturnType<typeof openSiteSum>>;

/**
 * Returns functions that compute the hash of the next site. `readsAll`: computes it from all recorded files, and
 * does not continue from the hash of the last site.
 */
export async function openSiteSum(record: RecordWriter, readsAll: boolean) {
  const { site_hash: last } = await readValues(record);
  const sum = sumResponses(readsAll ? undefined : last);
  return {
    remove: (files: Iterable<RecordedFile>) => {
      if (!readsAll) for (const { path, hash } of responsesOf(files)) sum.remove(path, hash);
    },
    add: (files: Iterable<RecordedFile>) => {
      if (!readsAll) for (const { path, hash } of responsesOf(files)) sum.add(path, hash);
    },
    /** Records the hash. Call it when all responses of the hash are recorded. */
    end: async (): Promise<string> => {
      if (readsAll)
        for await (const files of readFiles(record))
          for (const { path, hash } of responsesOf(files)) sum.add(path, hash);
      const hash = sum.end();
      await writeValues(record, { site_hash: hash });
      return hash;
    },
  };
}

/** Values of the column `route` in the record, for files that do not belong to a route. */
export const DOCUMENT_FILES = 'documents';
export const HOST_FILES = 'hosts';
export const IMAGES = 'images';
export const SEED = 'seed';
export const DUMP = 'dump';

export const SHOW_SITE_HASH: readonly string[] = ROUTES.filter(({ subject }) => subject.showsSiteHash).map(
  ({ id }) => id,
);

const NOT_HASHED: ReadonlySet<string> = new Set([DOCUMENT_FILES, HOST_FILES, IMAGES, DUMP, SEED, ...SHOW_SITE_HASH]);

function responsesOf(files: Iterable<RecordedFile>) {
  return Iterator.from(files).filter(({ route }) => !NOT_HASHED.has(route));
}
