// Reads and writes the recorded files, which are the files in the output folder.
import { inOrderOf, insertRows, listed } from '#sqlite/lists.ts';
import type { FileRow, RecordedChange, RecordedFile, RecordReader, RecordWriter } from './build-record.ts';

const FILES_PER_READ = 2_000;

export async function readFilesOf(
  record: RecordReader,
  routes: readonly string[],
  keys: readonly string[],
): Promise<RecordedFile[]> {
  const query = record.selectFrom('file').selectAll().where('route', 'in', routes).where('key', 'in', listed(keys));
  return (await query.execute()).map(toFile);
}

/** Returns the subset of the paths that are recorded, for any entry. */
export async function readRecorded(record: RecordReader, paths: readonly string[]): Promise<Set<string>> {
  const rows = await record.selectFrom('file').select('path').where('path', 'in', listed(paths)).execute();
  return new Set(rows.map(({ path }) => path));
}

export async function hasFilesOf(record: RecordReader, route: string): Promise<boolean> {
  return (await record.selectFrom('file').select('path').where('route', '=', route).executeTakeFirst()) !== undefined;
}

export async function* readFiles(record: RecordReader): AsyncGenerator<RecordedFile[]> {
  const files = record.selectFrom('file').selectAll();
  for await (const rows of inOrderOf(files, 'path', 'path', FILES_PER_READ)) yield rows.map(toFile);
}

/** Returns a recorded or planned path that is equal to `path` if case is ignored. */
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

/** Records the files of a first build without planning changes. Planning them first would take a tenth longer. */
export async function insertFiles(record: RecordWriter, files: readonly RecordedChange[]): Promise<void> {
  const rows = files.map(({ hash = '', ...file }) => ({ ...file, sha256: Buffer.from(hash, 'hex') }));
  await insertRows(record, 'file', rows);
}

function toFile({ sha256, ...file }: FileRow): RecordedFile {
  return { ...file, hash: sha256.toString('hex') };
}
