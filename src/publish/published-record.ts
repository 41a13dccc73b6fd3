// Stores the published files of a target and the planned changes in a SQLite file next to the build's record. The
// content of a file is unknown from the start of its change until the target confirms it.

import { rmSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';
import { FailureError } from '#model/failure.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { excluded } from '#sqlite/columns.ts';
import { INFO, writeValues } from '#sqlite/info.ts';
import { inOrderOf, inPages, insertRows, listed } from '#sqlite/lists.ts';
import { FILE_SUFFIXES, type FileKind, openSqlite } from '#sqlite/open-sqlite.ts';
import { hash, integer, keyed, nullable, type RowsOf, statementsOf, text } from '#sqlite/tables.ts';

const TABLES = {
  /**
   * Stores `generation`, of the last publish that this machine began, and `headerRules`, of the files with a known
   * content.
   */
  ...INFO,
  /** `sha256`: null while the content is unknown. */
  file: keyed({ path: text('primary key'), sha256: nullable(hash()) }),
  /** `sha256`: null for a file to remove. */
  change: keyed(
    { phase: integer(), path: text(), sha256: nullable(hash()), bytes: integer() },
    'primary key (phase, path)',
  ),
};

interface Schema extends RowsOf<typeof TABLES> {
  /** The files of the build. The build's record is attached as database `built`. */
  'built.file': { path: string; route: string; sha256: Buffer; bytes: number };
}

export type Published = Kysely<Schema>;

export interface KnownFile {
  readonly path: string;
  /** The SHA-256 in hex; null if the file is missing, undefined if its content is unknown. */
  readonly sha256: string | null | undefined;
}

export interface PlannedChange extends Readonly<Omit<Schema['change'], 'sha256'>> {
  /** The SHA-256 in hex; null for a file to remove. */
  readonly sha256: string | null;
}

export interface PublishSummary {
  readonly sent: number;
  readonly sentBytes: number;
  readonly removed: number;
}

const ROWS_PER_READ = 2_000;

const PUBLISHED_FILE: FileKind = {
  what: 'record of published files',
  remedy: () => 'delete it and publish again: the published files are then listed.',
  whenFull: 'Published files stay. Free some space, then publish again.',
  applicationId: 0x53545050, // "STPP"
  schema: statementsOf(TABLES),
};

/**
 * Opens the record of published files at `path`, and replaces one of another version. `record`: the path of the build's
 * record.
 */
export async function openPublished(path: string, record: string): Promise<Published> {
  const published = await openSqlite<Schema>(path, PUBLISHED_FILE).catch((error: unknown) => {
    if (!(error instanceof FailureError) || error.failure.code !== 'index-version') throw error;
    for (const suffix of FILE_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
    return openSqlite<Schema>(path, PUBLISHED_FILE);
  });
  await sql`attach database ${record} as built`.execute(published);
  return published;
}

export async function clearPublished(published: Published): Promise<void> {
  await published.transaction().execute(async (transaction) => {
    for (const table of ['info', 'file', 'change'] as const) await transaction.deleteFrom(table).execute();
  });
}

/** Records the hashes of files, and removes missing files from the record. */
export async function notePublished(published: Published, files: readonly KnownFile[]): Promise<void> {
  const { existing = [], missing = [] } = Object.groupBy(files, ({ sha256 }) =>
    sha256 === null ? 'missing' : 'existing',
  );
  await published.transaction().execute(async (transaction) => {
    const rows = existing.map(({ path, sha256 }) => ({ path, sha256: sha256 ? Buffer.from(sha256, 'hex') : null }));
    await insertRows(transaction, 'file', rows, (conflict) => conflict.column('path').doUpdateSet(excluded('sha256')));
    const paths = missing.map(({ path }) => path);
    if (paths.length > 0) await transaction.deleteFrom('file').where('path', 'in', listed(paths)).execute();
  });
}

/** Returns the files of the build at these paths, by path. */
export async function readBuilt(
  published: Published,
  paths: readonly string[],
): Promise<Map<string, { readonly sha256: string; readonly bytes: number }>> {
  const rows = await published
    .selectFrom('built.file')
    .select(['path', 'sha256', 'bytes'])
    .where('path', 'in', listed(paths))
    .execute();
  return new Map(rows.map(({ path, sha256, bytes }) => [path, { sha256: sha256.toString('hex'), bytes }]));
}

/** Plans the changes that make the published files equal to the build. */
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
  for await (const rows of inPages(differingAfter, ({ path }) => path, '')) {
    const changes = rows.map((row) => ({ ...row, phase: phaseOf(row.path, row.sha256 === null) }));
    await published.transaction().execute((transaction) => insertRows(transaction, 'change', changes));
  }
}

/** Marks the content of every file as unknown. */
export async function markAllUnknown(published: Published): Promise<void> {
  await published.updateTable('file').set({ sha256: null }).execute();
}

/**
 * Stores the generation of a publish and the rules of its headers, and marks the content of the planned files as
 * unknown, until {@link notePublished} records each file.
 */
export async function beginPublish(
  published: Published,
  values: { readonly generation: string; readonly headerRules: string },
): Promise<void> {
  await published.transaction().execute(async (transaction) => {
    await writeValues(transaction, values);
    await sql`replace into file (path, sha256) select path, null from change`.execute(transaction);
  });
}

/** Counts the files of the build, and the published files. */
export async function countFiles(published: Published): Promise<{ readonly built: number; readonly known: number }> {
  return {
    built: await countRows(published.selectFrom('built.file')),
    known: await countRows(published.selectFrom('file')),
  };
}

/** Counts the planned uploads, their bytes, and the planned removals. */
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

/** Yields the changes of one phase in pages, sorted by path. */
export async function* readPlanned(published: Published, phase: number): AsyncGenerator<PlannedChange[]> {
  const changes = published.selectFrom('change').selectAll().where('phase', '=', phase);
  for await (const rows of inOrderOf(changes, 'path', 'path', ROWS_PER_READ))
    yield rows.map((row) => ({ ...row, sha256: row.sha256?.toString('hex') ?? null }));
}
