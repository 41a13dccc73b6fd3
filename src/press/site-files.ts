// Says which files of a build are answers that the site's hash covers; the others are documents, images, dumps,
// and files for hosts, which depend on how and where a site is built.

import { DUMP_FOLDER } from '#model/dump-file.ts';
import { IMAGE_FOLDER } from '#model/image-file.ts';
import { ROUTES } from '#routes/all.ts';
import { FILES_OF_SHARDS, type RecordedFile } from './record/build-record.ts';

/** Names in the record for files of no route. */
export const SITE = 'site';
export const HOST_FILES = 'hosts';
export const IMAGES = 'images';
export const DUMP = 'dump';

/** The ids of routes that show the hash. */
export const SHOW_SITE_HASH: readonly string[] = ROUTES.filter(({ subject }) => subject.showsSiteHash).map(
  ({ id }) => id,
);

const NOT_HASHED: ReadonlySet<string> = new Set([SITE, HOST_FILES, IMAGES, DUMP, ...SHOW_SITE_HASH]);

/** Files of shards are recorded as such, whatever they are. */
const NO_ANSWERS = new RegExp(`^(?:${IMAGE_FOLDER}|${DUMP_FOLDER})/`);

export function isHashed({ route, path }: Pick<RecordedFile, 'route' | 'path'>): boolean {
  return !NOT_HASHED.has(route) && !(route === FILES_OF_SHARDS && NO_ANSWERS.test(path));
}
