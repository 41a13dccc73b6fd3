// Keeps what was published to a storage in a SQLite file beside the build's record: the files that are there, and the
// changes that are left to send. A file that is being changed is unknown until the storage has confirmed it.

import { type Kysely, sql } from 'kysely';
import { countRows } from '#sqlite/aggregates.ts';
import { excluded } from '#sqlite/columns.ts';
import { INFO } from '#sqlite/info.ts';
import { inOrderOf, inPages, inRuns, insertRows, listed } from '#sqlite/lists.ts';
import { type FileKind, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, nullable, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

const TABLES = {
  /** `generation`: which state of the storage the files are; `token`: of a publish that has begun and not ended. */
  ...INFO,
  /** `sha256`: null while it is unknown what is there. */
  file: keyed({ path: text('primary key'), sha256: nullable(hash()) }),
  /** `sha256`: null for a file that is to be removed. */
  change: keyed(
    { phase: integer(), path: text(), sha256: nullable(hash()), bytes: integer() },
    'primary key (phase, path)',
  ),
};

interface Schema extends RowsOf<typeof TABLES> {
  /** A table of the build's record, which is attached. */
  'built.file': { path: string; sha256: Buffer; bytes: number };
}

export type Published = Kysely<Schema>;

export interface KnownFile {
  readonly path: string;
  /** Hex; null where none is there, undefined while that is unknown. */
  readonly sha256: string | null | undefined;
}

export interface PlannedChange extends Readonly<Omit<Schema['change'], 'sha256'>> {
  /** Hex; null for a file that is to be removed. */
  readonly sha256: string | null;
}

export interface PublishSummary {
  readonly sent: number;
  readonly sentBytes: number;
  readonly removed: number;
}

const ROWS_PER_READ = 2_000;

const PUBLISHED_FILE: FileKind = {
  what: 'record of what was published',
  remedy: () => 'delete it, and publish again: it is read from the storage',
  whenFull: 'What is published stays; make room and publish again.',
  applicationId: 0x53545050, // "STPP"
  schema: statementsOf(TABLES),
};

/** `record`: that of the build. */
export async function openPublished(path: string, record: string): Promise<Published> {
  const published = await openSqlite<Schema>(path, PUBLISHED_FILE);
  await sql`attach database ${record} as built`.execute(published);
  return published;
}

export async function clearPublished(published: Published): Promise<void> {
  await published.transaction().execute(async (transaction) => {
    for (const table of ['info', 'file', 'change'] as const) await transaction.deleteFrom(table).execute();
  });
}

export async function notePublished(published: Published, files: readonly KnownFile[]): Promise<void> {
  const { there = [], gone = [] } = Object.groupBy(files, ({ sha256 }) => (sha256 === null ? 'gone' : 'there'));
  await published.transaction().execute(async (transaction) => {
    const rows = there.map(({ path, sha256 }) => ({ path, sha256: sha256 ? Buffer.from(sha256, 'hex') : null }));
    await insertRows(transaction, 'file', rows, (conflict) => conflict.column('path').doUpdateSet(excluded('sha256')));
    const paths = gone.map(({ path }) => path);
    if (paths.length > 0) await transaction.deleteFrom('file').where('path', 'in', listed(paths)).execute();
  });
}

/** Finds what differs between the build and what is published. */
export async function planChanges(
  published: Published,
  phaseOf: (path: string, isRemoved: boolean) => number,
): Promise<void> {
  await published.deleteFrom('change').execute();
  const differingAfter = async (after: string) => {
    const differing = sql<Omit<Schema['change'], 'phase'>>`
      select wanted.path, wanted.sha256, wanted.bytes from built.file wanted left join file known using (path)
      where wanted.path > ${after} and known.sha256 is not wanted.sha256
      union all select known.path, null, 0 from file known left join built.file wanted using (path)
      where known.path > ${after} and wanted.path is null
      order by path limit ${ROWS_PER_READ}`;
    return (await differing.execute(published)).rows;
  };
  for await (const rows of inPages(differingAfter, ({ path }) => path, ''))
    await published.transaction().execute(async (transaction) => {
      const changes = rows.map((row) => ({ ...row, phase: phaseOf(row.path, row.sha256 === null) }));
      await insertRows(transaction, 'change', changes);
    });
}

/** From now until each is confirmed, it is unknown what is there. */
export async function markUnknown(published: Published): Promise<void> {
  await sql`replace into file (path, sha256) select path, null from change`.execute(published);
}

export async function countPlanned(published: Published): Promise<PublishSummary> {
  const counts = published
    .selectFrom('change')
    .select(({ fn }) => [
      fn.count<number>('sha256').as('sent'),
      fn.coalesce(fn.sum<number>('bytes'), sql<number>`0`).as('sentBytes'),
      sql<number>`count(*) - count(sha256)`.as('removed'),
    ]);
  return counts.executeTakeFirstOrThrow();
}

/** Changes of one phase, by path. */
export async function* readPlanned(published: Published, phase: number): AsyncGenerator<PlannedChange[]> {
  const changes = published.selectFrom('change').selectAll().where('phase', '=', phase);
  for await (const rows of inOrderOf(changes, 'path', 'path', ROWS_PER_READ))
    yield rows.map((row) => ({ ...row, sha256: row.sha256?.toString('hex') ?? null }));
}

/** Every file that is there, by path. */
export async function* readKnown(published: Published): AsyncGenerator<KnownFile[]> {
  for await (const rows of inOrderOf(published.selectFrom('file').selectAll(), 'path', 'path', ROWS_PER_READ))
    yield rows.map(toKnown);
}

export async function* readKnownAmong(published: Published, paths: readonly string[]): AsyncGenerator<KnownFile[]> {
  for (const run of inRuns(paths)) {
    const rows = await published.selectFrom('file').selectAll().where('path', 'in', listed(run)).execute();
    const known = new Map(rows.map((row) => [row.path, toKnown(row)]));
    yield run.map((path) => known.get(path) ?? { path, sha256: null });
  }
}

export function countKnown(published: Published): Promise<number> {
  return countRows(published.selectFrom('file'));
}

export async function readBuiltAmong(
  published: Published,
  paths: readonly string[],
): Promise<{ path: string; sha256: string }[]> {
  const built = published.selectFrom('built.file').select(['path', 'sha256']).where('path', 'in', listed(paths));
  return (await built.execute()).map(({ path, sha256 }) => ({ path, sha256: sha256.toString('hex') }));
}

function toKnown({ path, sha256 }: Schema['file']): KnownFile {
  return { path, sha256: sha256?.toString('hex') };
}
