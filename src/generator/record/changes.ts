// Replaces the recorded files of the last site by the files of the next one. The caller's transaction ends when all
// files are staged.

import { type RawBuilder, sql } from 'kysely';
import { excluded } from '#sqlite/columns.ts';
import { writeValues } from '#sqlite/info.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { BuildRecord, FileRow, RecordedFile, RecordReader, RecordWriter } from './build-record.ts';
import { toFile } from './recorded-files.ts';

/**
 * Creates a temporary table of taken files: recorded files of an entry whose path another entry needs. A file leaves
 * the table when its entry gives it up. If it stays, both entries need the path.
 */
export async function openTaken(record: RecordWriter): Promise<void> {
  await sql`drop table if exists temp.taken`.execute(record);
  await sql`create temp table taken as select * from file where false`.execute(record);
  await sql`create index temp.taken_entry on taken (route, key)`.execute(record);
}

/** Records files that another entry had before. Call it before {@link writeFiles} replaces them. */
export async function insertTaken(record: RecordWriter, files: readonly RecordedFile[]): Promise<void> {
  const paths = files.map(({ path }) => path);
  if (paths.length > 0) await sql`insert into taken select * from file where path in ${listed(paths)}`.execute(record);
}

/** Removes paths from the table of taken files, since their former entries gave them up. */
export async function releaseTaken(record: RecordWriter, paths: readonly string[]): Promise<void> {
  await sql`delete from taken where path in ${listed(paths)}`.execute(record);
}

/** Returns a path that two entries need; undefined without one. */
export async function findTaken(record: RecordWriter): Promise<string | undefined> {
  return (await sql<{ path: string }>`select path from taken limit 1`.execute(record)).rows[0]?.path;
}

/** Returns the files that entries had in the last site. */
export async function readFilesOf(
  record: RecordWriter,
  routes: readonly string[],
  keys: readonly string[],
): Promise<RecordedFile[]> {
  const isOf = sql`route in (${sql.join(routes)}) and key in ${listed(keys)}`;
  const files = sql<FileRow>`select * from file where ${isOf} union all select * from taken where ${isOf}`;
  return (await files.execute(record)).rows.map(toFile);
}

/** Records files. A file replaces one with the same path. */
export async function writeFiles(record: RecordWriter, files: readonly RecordedFile[]): Promise<void> {
  const rows = files.map(({ hash, ...file }) => ({ ...file, sha256: Buffer.from(hash, 'hex') }));
  await insertRows(record, 'file', rows, (conflict) =>
    conflict.column('path').doUpdateSet(excluded('route', 'key', 'sha256', 'bytes')),
  );
}

interface Keys {
  /** The range contains keys greater than `after`, up to and including `upTo`. Undefined for an open end. */
  readonly after: string | undefined;
  readonly upTo: string | undefined;
  readonly but: readonly string[];
}

/** Removes the files of routes in a range of keys, except for the keys in `but`. Returns these files. */
export function removeEntries(record: RecordWriter, routes: readonly string[], { after, upTo, but }: Keys) {
  const from = after === undefined ? sql`` : sql`and key > ${after}`;
  const to = upTo === undefined ? sql`` : sql`and key <= ${upTo}`;
  return removeWhere(record, sql`route in (${sql.join(routes)}) and key not in ${listed(but)} ${from} ${to}`);
}

/** Removes the files of all other routes. */
export async function removeOtherRoutes(record: RecordWriter, routes: readonly string[]): Promise<void> {
  await discardWhere(record, sql`route not in (${sql.join(routes)})`);
}

export function removeAt(record: RecordWriter, paths: readonly string[]): Promise<RecordedFile[]> {
  return removeWhere(record, sql`path in ${listed(paths)}`);
}

async function removeWhere(record: RecordWriter, condition: RawBuilder<unknown>): Promise<RecordedFile[]> {
  const { rows } = await sql<FileRow>`select * from file where ${condition}`.execute(record);
  await discardWhere(record, condition);
  return rows.map(toFile);
}

async function discardWhere(record: RecordWriter, condition: RawBuilder<unknown>): Promise<void> {
  await sql`delete from taken where ${condition}`.execute(record);
  await sql`insert into obsolete select path from file where ${condition}`.execute(record);
  await sql`delete from file where ${condition}`.execute(record);
}

/** Returns the subset of the paths that the build removes. */
export async function findObsolete(record: RecordReader, paths: readonly string[]): Promise<Set<string>> {
  const rows = await record.selectFrom('obsolete').select('path').where('path', 'in', listed(paths)).execute();
  return new Set(rows.map(({ path }) => path));
}

/** Keeps the files at the paths, since the build writes new ones there. */
export async function keepObsolete(record: RecordWriter, paths: Iterable<string>): Promise<void> {
  await record
    .deleteFrom('obsolete')
    .where('path', 'in', listed([...paths]))
    .execute();
}

/** Records that the output folder is as recorded. */
export async function endPlacing(record: BuildRecord): Promise<void> {
  await record.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('obsolete').execute();
    await writeValues(transaction, { placing: undefined });
  });
}
