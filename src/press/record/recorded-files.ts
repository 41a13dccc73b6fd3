// Queries about the files that a build has in place.
import { inPages, inRuns } from '#sqlite/lists.ts';
import type { FileTable, RecordedFile, RecordReader } from './build-record.ts';

const FILES_PER_READ = 2_000;
const AFTER_ALL_PATHS = '\u{10ffff}';

export async function readFilesOf(
  record: RecordReader,
  routes: readonly string[],
  keys: readonly string[],
): Promise<RecordedFile[]> {
  const files: RecordedFile[] = [];
  for (const run of inRuns(keys)) {
    const query = record.selectFrom('file').selectAll().where('route', 'in', routes).where('key', 'in', run);
    files.push(...(await query.execute()).map(toFile));
  }
  return files;
}

/** Files of the entries of routes with a key after one and up to another; undefined leaves that end open. */
export async function* readFilesBetween(
  record: RecordReader,
  routes: readonly string[],
  afterKey: string | undefined,
  upTo: string | undefined,
): AsyncGenerator<RecordedFile[]> {
  for (const route of routes) {
    const pages = inPages(
      ([key, path]: [key: string, path: string]) =>
        record
          .selectFrom('file')
          .selectAll()
          .where('route', '=', route)
          .$if(upTo !== undefined, (query) => query.where('key', '<=', upTo as string))
          .where((eb) => eb(eb.refTuple('key', 'path'), '>', eb.tuple(key, path)))
          .orderBy('key')
          .orderBy('path')
          .limit(FILES_PER_READ)
          .execute(),
      (row): [key: string, path: string] => [row.key, row.path],
      afterKey === undefined ? ['', ''] : [afterKey, AFTER_ALL_PATHS],
    );
    for await (const rows of pages) yield rows.map(toFile);
  }
}

export async function* readFilesOfOtherRoutes(
  record: RecordReader,
  routes: readonly string[],
): AsyncGenerator<RecordedFile[]> {
  const rows = await record.selectFrom('file').select('route').distinct().where('route', 'not in', routes).execute();
  for (const { route } of rows) yield* readFilesBetween(record, [route], undefined, undefined);
}

export async function* readFiles(record: RecordReader): AsyncGenerator<RecordedFile[]> {
  const pages = inPages(
    (after) =>
      record.selectFrom('file').selectAll().where('path', '>', after).orderBy('path').limit(FILES_PER_READ).execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map(toFile);
}

/** A recorded or planned path that equals this one but for the case of its letters. */
export async function findFolded(record: RecordReader, path: string): Promise<string | undefined> {
  for (const table of ['change', 'file'] as const) {
    const row = await record
      .selectFrom(table)
      .select('path')
      .where((eb) => eb(eb.fn<string>('lower', ['path']), '=', path.toLowerCase()))
      .executeTakeFirst();
    if (row !== undefined) return row.path;
  }
  return undefined;
}

function toFile({ sha256, ...file }: FileTable): RecordedFile {
  return { ...file, hash: sha256.toString('hex') };
}
