// Computes the hash of a site as it will be after the planned changes, and stores it in the record. The hash
// covers responses. It excludes documents, images, dumps and files of hosts, which depend on how and where a site is
// built.

import { sumResponses } from '#model/site-hash.ts';
import { ROUTES } from '#routes/all.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import type { RecordedFile, RecordReader, RecordWriter } from './record/build-record.ts';
import { readChanges } from './record/changes.ts';
import { readFiles } from './record/recorded-files.ts';

const SITE_HASH = 'site_hash';

/**
 * Computes the hash of the planned site. Call it when all hashed files are planned. `isEverything`: computes a new
 * hash, and does not continue from the stored one.
 */
export async function planSiteHash(record: RecordWriter, isEverything: boolean): Promise<string> {
  const { [SITE_HASH]: known } = await readValues(record);
  const sum = sumResponses(isEverything ? undefined : known);
  if (isEverything || known === undefined)
    for await (const files of readFiles(record))
      for (const file of files.filter(isHashed)) sum.add(file.path, file.hash);
  for await (const changes of readChanges(record))
    for (const { path, route, hash, before } of changes) {
      if (before !== undefined && isHashed(before)) sum.remove(path, before.hash);
      if (hash !== undefined && isHashed({ route })) sum.add(path, hash);
    }
  const hash = sum.end();
  await writeValues(record, { [SITE_HASH]: hash });
  return hash;
}

/** Reads the hash of the current site from the record. */
export async function readSiteHash(record: RecordReader): Promise<string> {
  return (await readValues(record))[SITE_HASH] ?? sumResponses().end();
}

/** Values of the column `route` in the record, for files that do not belong to a route. */
export const SITE = 'site';
export const HOST_FILES = 'hosts';
export const IMAGES = 'images';
export const SEED = 'seed';
export const DUMP = 'dump';

export const SHOW_SITE_HASH: readonly string[] = ROUTES.filter(({ subject }) => subject.showsSiteHash).map(
  ({ id }) => id,
);

const NOT_HASHED: ReadonlySet<string> = new Set([SITE, HOST_FILES, IMAGES, DUMP, SEED, ...SHOW_SITE_HASH]);

function isHashed({ route }: Pick<RecordedFile, 'route'>): boolean {
  return !NOT_HASHED.has(route);
}
