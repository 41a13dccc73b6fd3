// Reads and writes the planned changes. They are recorded before they are executed, so that the next build can finish
// them after a crash.

import { type RawBuilder, sql } from 'kysely';
import { readValues, writeValues } from '#sqlite/info.ts';
import { inOrderOf, insertRows, listed } from '#sqlite/lists.ts';
import type {
  BuildOrigin,
  BuildRecord,
  ChangeCounts,
  RecordedChange,
  RecordedFile,
  RecordReader,
  RecordWriter,
} from './build-record.ts';

const CHANGES_PER_READ = 2_000;
/** The key of the planned origin, which becomes the origin of the site when the changes are executed. */
const PLANNED = 'planned_origin';

/**
 * Records planned changes. If a file moves from one entry to another, its write replaces the removal at the same path.
 */
export async function insertChanges(record: RecordWriter, changes: readonly RecordedChange[]): Promise<void> {
  const rows = changes.map(({ hash, ...change }) => ({
    ...change,
    sha256: hash === undefined ? null : Buffer.from(hash, 'hex'),
  }));
  await insertRows(record, 'change', rows, (conflict) =>
    conflict
      .column('path')
      .doUpdateSet(({ ref }) => ({
        route: ref('excluded.route'),
        key: ref('excluded.key'),
        sha256: ref('excluded.sha256'),
        bytes: ref('excluded.bytes'),
      }))
      .where('excluded.sha256', 'is not', null),
  );
  const removed = changes.filter(({ hash }) => hash === undefined).map(({ path }) => path);
  if (removed.length > 0) await releaseTaken(record, sql`path in ${listed(removed)}`);
}

interface Keys {
  /** The range contains keys greater than `after`, up to and including `upTo`. Undefined for an open end. */
  readonly after: string | undefined;
  readonly upTo: string | undefined;
  readonly but: readonly string[];
}

/** Plans to remove the files of routes in a range of keys, except for the keys in `but`. */
export async function removeEntries(
  record: RecordWriter,
  routes: readonly string[],
  { after, upTo, but }: Keys,
): Promise<void> {
  const from = after === undefined ? sql`` : sql`and key > ${after}`;
  const to = upTo === undefined ? sql`` : sql`and key <= ${upTo}`;
  await removeWhere(record, sql`route in (${sql.join(routes)}) and key not in ${listed(but)} ${from} ${to}`);
}

export async function removeOtherRoutes(record: RecordWriter, routes: readonly string[]): Promise<void> {
  await removeWhere(record, sql`route not in (${sql.join(routes)})`);
}

/**
 * Plans to remove the recorded files that match. A planned write stays, since its path may have moved to another route.
 */
async function removeWhere(record: RecordWriter, condition: RawBuilder<unknown>): Promise<void> {
  await releaseTaken(record, condition);
  await sql`insert into change (path, route, key, bytes) select path, route, key, 0 from file
    where ${condition} on conflict do nothing`.execute(record);
}

/**
 * Creates a temporary table of taken paths: an entry needs the path, and another entry has it in the record. A path
 * leaves the table when its removal from the other entry is planned. If it stays, both entries need it.
 */
export async function openTaken(record: RecordWriter): Promise<void> {
  await sql`create temp table if not exists taken (path text primary key) without rowid`.execute(record);
  await sql`delete from taken`.execute(record);
}

/** Adds recorded paths that an entry needs, but did not have before. Call it before {@link insertChanges}. */
export async function insertTaken(record: RecordWriter, paths: readonly string[]): Promise<void> {
  await sql`insert or ignore into taken select value from json_each(${JSON.stringify(paths)})
    where not exists (select 1 from change where path = value and sha256 is null)`.execute(record);
}

/** Returns a path that two entries need; undefined without one. */
export async function findTaken(record: RecordWriter): Promise<string | undefined> {
  return (await sql<{ path: string }>`select path from taken limit 1`.execute(record)).rows[0]?.path;
}

async function releaseTaken(record: RecordWriter, condition: RawBuilder<unknown>): Promise<void> {
  await sql`delete from taken where path in (select taken.path from taken join file using (path)
    where ${condition})`.execute(record);
}

interface PlannedChange extends RecordedChange {
  /** The recorded file that the change replaces or removes; undefined if the path is new. */
  readonly before: Pick<RecordedFile, 'route' | 'hash'> | undefined;
}

export async function hasChanges(record: RecordReader): Promise<boolean> {
  return (await record.selectFrom('change').select('path').limit(1).executeTakeFirst()) !== undefined;
}

/** Yields the planned changes in order of path. With `only`, yields only the removals. */
export async function* readChanges(record: RecordReader, only?: 'remove'): AsyncGenerator<PlannedChange[]> {
  const changes = record
    .selectFrom('change')
    .leftJoin('file', 'file.path', 'change.path')
    .selectAll('change')
    .select(['file.route as route_before', 'file.sha256 as sha256_before'])
    .$if(only !== undefined, (query) => query.where('change.sha256', 'is', null));
  for await (const rows of inOrderOf(changes, 'change.path', 'path', CHANGES_PER_READ))
    yield rows.map(({ sha256, route_before: route, sha256_before: before, ...change }) => ({
      ...change,
      hash: sha256?.toString('hex'),
      before: route === null || before === null ? undefined : { route, hash: before.toString('hex') },
    }));
}

/** Returns the subset of the paths whose removal is planned. */
export async function readRemoved(record: RecordReader, paths: readonly string[]): Promise<Set<string>> {
  const removed = record.selectFrom('change').select('path').where('sha256', 'is', null);
  const rows = await removed.where('path', 'in', listed(paths)).execute();
  return new Set(rows.map(({ path }) => path));
}

export async function writePlannedOrigin(record: RecordWriter, origin: BuildOrigin): Promise<void> {
  await writeValues(record, { [PLANNED]: JSON.stringify(origin) });
}

/** Returns true if the record has the plan of a build that was not finished. */
export async function hasPlan(record: RecordReader): Promise<boolean> {
  return (await readValues(record))[PLANNED] !== undefined;
}

/** Set while the list of changes also contains the changes of an interrupted build. */
const LIST_CONTINUED = 'list_goes_on';

export async function isListContinued(record: RecordReader): Promise<boolean> {
  return (await readValues(record))[LIST_CONTINUED] !== undefined;
}

export async function endContinuedList(record: RecordReader): Promise<void> {
  await writeValues(record, { [LIST_CONTINUED]: undefined });
}

/**
 * Records the executed changes as files, and makes the planned origin the origin of the site. Returns the counts of the
 * changes.
 */
export async function finishChanges(record: BuildRecord, wasInterrupted: boolean): Promise<ChangeCounts> {
  return record.transaction().execute(async (transaction) => {
    const info = await readValues(transaction);
    // A first build recorded its files when it staged them, without changes.
    const first = info.files === undefined ? await countFiles(transaction) : NO_FILES;
    // A removal has no hash, and its `bytes` are 0.
    const { files, bytes, ...counts } = await transaction
      .selectFrom('change')
      .leftJoin('file', 'file.path', 'change.path')
      .select([
        sql<number>`count(change.sha256) - count(file.path)`.as('files'),
        sql<number>`total(change.bytes) - total(file.bytes)`.as('bytes'),
        sql<number>`count(change.sha256)`.as('written'),
        sql<number>`total(change.bytes)`.as('writtenBytes'),
        sql<number>`count(*) - count(change.sha256)`.as('removed'),
      ])
      .executeTakeFirstOrThrow();
    await sql`delete from file where path in (select path from change)`.execute(transaction);
    await sql`insert into file (path, route, key, sha256, bytes)
      select path, route, key, sha256, bytes from change where sha256 is not null`.execute(transaction);
    await transaction.deleteFrom('change').execute();
    await writeValues(transaction, {
      origin: info[PLANNED],
      [PLANNED]: undefined,
      files: String(Number(info.files ?? first.files) + files),
      bytes: String(Number(info.bytes ?? first.bytes) + bytes),
      [LIST_CONTINUED]: wasInterrupted ? '1' : undefined,
    });
    const { written, writtenBytes, removed } = counts;
    return { written: first.files + written, writtenBytes: first.bytes + writtenBytes, removed };
  });
}

const NO_FILES = { files: 0, bytes: 0 };

function countFiles(record: RecordReader): Promise<typeof NO_FILES> {
  return record
    .selectFrom('file')
    .select([sql<number>`count(*)`.as('files'), sql<number>`total(bytes)`.as('bytes')])
    .executeTakeFirstOrThrow();
}
