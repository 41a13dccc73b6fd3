// What was published to a storage, a SQLite file beside the build's record: which files are there, and what is left to
// send of a build. A file that is being changed is unknown until the storage has confirmed it.

import { type Kysely, sql } from 'kysely';
import { FILES_OF_SHARDS } from '#press/record/build-record.ts';
import { inPages, inRuns, listed } from '#sqlite/lists.ts';
import { type FileKind, openSqlite } from '#sqlite/open-sqlite.ts';

interface PublishedTable {
  path: string;
  /** Null while it is unknown what is there. */
  sha256: Buffer | null;
}

interface ChangeTable {
  path: string;
  phase: number;
  /** Null for a file that is to be removed. */
  sha256: Buffer | null;
  bytes: number;
}

interface Schema {
  info: { key: string; value: string };
  file: PublishedTable;
  change: ChangeTable;
  /** Of the build's record, which is attached. */
  'built.file': { path: string; route: string; sha256: Buffer; bytes: number };
}

export type Published = Kysely<Schema>;

export interface PublishedInfo {
  /** Which state of the storage the files are; undefined where nothing was published. */
  readonly generation: string | undefined;
  /** Of a publish that was begun and has not ended. */
  readonly token: string | undefined;
}

export interface KnownFile {
  readonly path: string;
  /** Hex; null where none is there, undefined while that is unknown. */
  readonly sha256: string | null | undefined;
}

export interface PlannedChange {
  readonly path: string;
  readonly phase: number;
  /** Hex; null for a file that is to be removed. */
  readonly sha256: string | null;
  readonly bytes: number;
}

const ROWS_PER_READ = 2_000;

const PUBLISHED_FILE: FileKind = {
  what: 'record of what was published',
  remedy: 'delete it, and publish again: it is read from the storage',
  whenFull: 'What is published stays; make room and publish again.',
  applicationId: 0x53545050, // "STPP"
  schema: [
    'create table info (key text primary key, value text not null) strict, without rowid',
    'create table file (path text primary key, sha256 blob) strict, without rowid',
    `create table change (
      phase integer not null, path text not null, sha256 blob, bytes integer not null, primary key (phase, path)
    ) strict, without rowid`,
  ],
};

/** `record`: that of the build. */
export async function openPublished(path: string, record: string): Promise<Published> {
  const published = await openSqlite<Schema>(path, PUBLISHED_FILE);
  await sql`attach database ${record} as built`.execute(published);
  return published;
}

export async function readPublishedInfo(published: Published): Promise<PublishedInfo> {
  const rows = await published.selectFrom('info').selectAll().execute();
  const info = new Map(rows.map(({ key, value }) => [key, value]));
  return { generation: info.get('generation'), token: info.get('token') };
}

/** Undefined removes it. */
export async function writePublishedInfo(
  published: Published,
  key: keyof PublishedInfo,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) await published.deleteFrom('info').where('key', '=', key).execute();
  else
    await published
      .insertInto('info')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
}

/** Forgets what was known. */
export async function clearPublished(published: Published): Promise<void> {
  await published.transaction().execute(async (transaction) => {
    for (const table of ['info', 'file', 'change'] as const) await transaction.deleteFrom(table).execute();
  });
}

/** Notes what is there now. */
export async function notePublished(published: Published, files: readonly KnownFile[]): Promise<void> {
  const isGone = ({ sha256 }: KnownFile) => sha256 === null;
  await published.transaction().execute(async (transaction) => {
    for (const run of inRuns(
      files.filter((one) => !isGone(one)),
      2,
    ))
      await transaction
        .insertInto('file')
        .values(run.map(({ path, sha256 }) => ({ path, sha256: toBytes(sha256) })))
        .onConflict((conflict) => conflict.column('path').doUpdateSet((eb) => ({ sha256: eb.ref('excluded.sha256') })))
        .execute();
    for (const run of inRuns(files.filter(isGone).map(({ path }) => path)))
      await transaction.deleteFrom('file').where('path', 'in', run).execute();
  });
}

/** Finds what differs between the build and what is published. `phaseOf`: when a file is sent or removed. */
export async function planChanges(
  published: Published,
  {
    phaseOf,
    removes,
  }: {
    readonly phaseOf: (path: string, isRemoved: boolean) => number;
    /** Whether what is not in the build is removed. */
    readonly removes: boolean;
  },
): Promise<void> {
  await published.deleteFrom('change').execute();
  const wanted = inPages(
    (after) =>
      published
        .selectFrom('built.file as wanted')
        .leftJoin('file as known', 'known.path', 'wanted.path')
        .select(['wanted.path', 'wanted.sha256', 'wanted.bytes'])
        .where('wanted.path', '>', after)
        .where(sql<boolean>`known.sha256 is not wanted.sha256`)
        .orderBy('wanted.path')
        .limit(ROWS_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of wanted)
    await insertChanges(
      published,
      rows.map((row) => ({ ...row, phase: phaseOf(row.path, false) })),
    );
  if (!removes) return;
  const unwanted = inPages(
    (after) =>
      published
        .selectFrom('file as known')
        .leftJoin('built.file as wanted', 'wanted.path', 'known.path')
        .select('known.path')
        .where('known.path', '>', after)
        .where('wanted.path', 'is', null)
        .orderBy('known.path')
        .limit(ROWS_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of unwanted)
    await insertChanges(
      published,
      rows.map(({ path }) => ({ path, sha256: null, bytes: 0, phase: phaseOf(path, true) })),
    );
}

async function insertChanges(published: Published, changes: readonly ChangeTable[]): Promise<void> {
  await published.transaction().execute(async (transaction) => {
    for (const run of inRuns(changes, 4)) await transaction.insertInto('change').values(run).execute();
  });
}

/** Files to send that the build knows of and does not have: how many, and one of them. */
export async function findUnsendable(published: Published): Promise<{ files: number; first: string | null }> {
  return published
    .selectFrom('change')
    .innerJoin('built.file as wanted', 'wanted.path', 'change.path')
    .where('change.sha256', 'is not', null)
    .where('wanted.route', '=', FILES_OF_SHARDS)
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.min('change.path').as('first')])
    .executeTakeFirstOrThrow();
}

/** From now until each is confirmed, it is unknown what is there. */
export async function markUnknown(published: Published): Promise<void> {
  await sql`insert into file (path, sha256) select path, null from change where true
    on conflict (path) do update set sha256 = null`.execute(published);
}

/** In the order of their phases. */
export async function countPlanned(published: Published): Promise<{ phase: number; files: number; bytes: number }[]> {
  const rows = await published
    .selectFrom('change')
    .select((eb) => ['phase', eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('bytes').as('bytes')])
    .groupBy('phase')
    .orderBy('phase')
    .execute();
  return rows;
}

/** Of one phase, in the order of their paths. */
export async function* readPlanned(published: Published, phase: number): AsyncGenerator<PlannedChange[]> {
  const pages = inPages(
    (after) =>
      published
        .selectFrom('change')
        .selectAll()
        .where('phase', '=', phase)
        .where('path', '>', after)
        .orderBy('path')
        .limit(ROWS_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map((row) => ({ ...row, sha256: row.sha256?.toString('hex') ?? null }));
}

/** Every file that is there, by path. */
export async function* readKnown(published: Published): AsyncGenerator<KnownFile[]> {
  const pages = inPages(
    (after) =>
      published.selectFrom('file').selectAll().where('path', '>', after).orderBy('path').limit(ROWS_PER_READ).execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map(toKnown);
}

/** What is at each of these paths. */
export async function* readKnownAmong(published: Published, paths: readonly string[]): AsyncGenerator<KnownFile[]> {
  for (const run of inRuns(paths)) {
    const rows = await published.selectFrom('file').selectAll().where('path', 'in', run).execute();
    const known = new Map(rows.map((row) => [row.path, toKnown(row)]));
    yield run.map((path) => known.get(path) ?? { path, sha256: null });
  }
}

export async function countKnown(published: Published): Promise<number> {
  const { files } = await published
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .executeTakeFirstOrThrow();
  return files;
}

/** Those files of the build that have these paths. */
export async function readBuiltAmong(
  published: Published,
  paths: readonly string[],
): Promise<{ path: string; sha256: string }[]> {
  const rows = await published
    .selectFrom('built.file')
    .select(['path', 'sha256'])
    .where('path', 'in', listed(paths))
    .execute();
  return rows.map(({ path, sha256 }) => ({ path, sha256: sha256.toString('hex') }));
}

function toKnown({ path, sha256 }: PublishedTable): KnownFile {
  return { path, sha256: sha256?.toString('hex') };
}

function toBytes(sha256: KnownFile['sha256']): Buffer | null {
  return typeof sha256 === 'string' ? Buffer.from(sha256, 'hex') : null;
}
