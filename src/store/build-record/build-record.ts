// Queries about the build record: what is in the output folder, and the changes that are under way.
import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql, type Transaction } from 'kysely';
import { inPages, inRuns } from '../lists.ts';
import { openSqlite } from '../sqlite.ts';
import { type ChangeTable, type FileTable, RECORD_FILE, type RecordSchema } from './schema.ts';

export type BuildRecord = Kysely<RecordSchema>;
export type RecordWriter = Transaction<RecordSchema>;
type Reader = BuildRecord | RecordWriter;

/** What a build was made from; any difference but the revision means that everything is compared. */
export interface BuildOrigin {
  readonly indexId: string;
  readonly revision: number;
  /** Options and program that decide what is rendered. */
  readonly fingerprint: string;
}

export interface BuildTotals {
  readonly files: number;
  readonly bytes: number;
}

export interface RecordedFile {
  readonly path: string;
  readonly route: string;
  readonly key: string;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
}

export interface RecordedChange extends Omit<RecordedFile, 'hash'> {
  readonly action: 'write' | 'remove';
  /** Undefined for a removal. */
  readonly hash: string | undefined;
}

export function openBuildRecord(path: string): Promise<BuildRecord> {
  return openSqlite<RecordSchema>(path, RECORD_FILE);
}

/** For a record with nothing in it yet: until it is opened again, new pages go to the file at once and not through a write-ahead log. */
export async function expectAllNew(record: BuildRecord): Promise<void> {
  await sql`pragma journal_mode = delete`.execute(record);
  // A commit is the removal of the journal, so that must be on the disk too.
  await sql`pragma synchronous = extra`.execute(record);
}

export async function readOrigin(
  record: Reader,
): Promise<(BuildOrigin & BuildTotals & { readonly chainId: number | undefined }) | undefined> {
  const info = await readInfo(record);
  const indexId = info.get('index_id');
  if (indexId === undefined) return undefined;
  const chainId = info.get('chain_id');
  return {
    indexId,
    revision: Number(info.get('revision')),
    fingerprint: info.get('fingerprint') ?? '',
    chainId: chainId === undefined || chainId === '' ? undefined : Number(chainId),
    files: Number(info.get('files') ?? 0),
    bytes: Number(info.get('bytes') ?? 0),
  };
}

const FILES_PER_READ = 2_000;
const BEHIND_ALL_PATHS = '\u{10ffff}';

/** Files of entries of routes. */
export async function readFilesOf(
  record: Reader,
  routes: readonly string[],
  keys: readonly string[],
): Promise<RecordedFile[]> {
  const files: RecordedFile[] = [];
  for (const run of inRuns(keys)) {
    const rows = await record
      .selectFrom('file')
      .selectAll()
      .where('route', 'in', routes)
      .where('key', 'in', run)
      .execute();
    files.push(...rows.map(toFile));
  }
  return files;
}

/** Files of the entries of routes whose key is behind one and up to another; undefined is either end. */
export async function* readFilesBetween(
  record: Reader,
  routes: readonly string[],
  behind: string | undefined,
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
      behind === undefined ? ['', ''] : [behind, BEHIND_ALL_PATHS],
    );
    for await (const rows of pages) yield rows.map(toFile);
  }
}

/** Files of all routes but these. */
export async function* readFilesOfOtherRoutes(
  record: Reader,
  routes: readonly string[],
): AsyncGenerator<RecordedFile[]> {
  const rows = await record.selectFrom('file').select('route').distinct().where('route', 'not in', routes).execute();
  for (const { route } of rows) yield* readFilesBetween(record, [route], undefined, undefined);
}

/** Every file that is in place, in the order of the paths. */
export async function* readFiles(record: Reader): AsyncGenerator<RecordedFile[]> {
  const pages = inPages(
    (after) =>
      record.selectFrom('file').selectAll().where('path', '>', after).orderBy('path').limit(FILES_PER_READ).execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map(toFile);
}

/** A recorded or planned path that equals another but for the case of its letters. */
export async function findFolded(record: Reader, path: string): Promise<string | undefined> {
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

export async function insertChanges(record: RecordWriter, changes: readonly RecordedChange[]): Promise<void> {
  for (const run of inRuns(changes, 6)) {
    const rows = run.map((change) => ({
      path: change.path,
      action: change.action,
      route: change.route,
      key: change.key,
      sha256: change.hash === undefined ? null : Buffer.from(change.hash, 'hex'),
      bytes: change.bytes,
    }));
    await record.insertInto('change').values(rows).execute();
  }
}

/** Records files that are written where nothing was, as what is there once the plan is carried out. */
export async function insertFiles(record: RecordWriter, files: readonly RecordedChange[]): Promise<void> {
  for (const run of inRuns(files, 5)) {
    const rows = run.map(({ path, route, key, hash, bytes }) => ({
      path,
      route,
      key,
      sha256: Buffer.from(hash ?? '', 'hex'),
      bytes,
    }));
    await record.insertInto('file').values(rows).execute();
  }
}

/** What the changes under way lead to, once they are all in place. */
export async function writePlannedOrigin(
  record: RecordWriter,
  origin: BuildOrigin & { readonly chainId: number | undefined },
): Promise<void> {
  await writeInfo(record, [
    ['planned_index_id', origin.indexId],
    ['planned_revision', String(origin.revision)],
    ['planned_fingerprint', origin.fingerprint],
    ['planned_chain_id', origin.chainId === undefined ? '' : String(origin.chainId)],
  ]);
}

/** Whether a build was interrupted after it had decided what to change. */
export async function hasPlan(record: Reader): Promise<boolean> {
  return (await readInfo(record)).has('planned_index_id');
}

export async function* readChanges(record: Reader, action?: 'write' | 'remove'): AsyncGenerator<RecordedChange[]> {
  const pages = inPages(
    (after) =>
      record
        .selectFrom('change')
        .selectAll()
        .where('path', '>', after)
        .$if(action !== undefined, (query) => query.where('action', '=', action as 'write' | 'remove'))
        .orderBy('path')
        .limit(FILES_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map(toChange);
}

/** Set while the list of changes has those of a build that was interrupted, and no build has ended since. */
const LIST_GOES_ON = 'list_goes_on';

export async function listGoesOn(record: Reader): Promise<boolean> {
  return (await readInfo(record)).has(LIST_GOES_ON);
}

export async function endList(record: Reader): Promise<void> {
  await record.deleteFrom('info').where('key', '=', LIST_GOES_ON).execute();
}

/** The changes are in place: they become files, and the plan's origin the record's. */
export async function finishChanges(record: BuildRecord, wasInterrupted: boolean): Promise<BuildTotals> {
  return record.transaction().execute(async (transaction) => {
    const info = await readInfo(transaction);
    const replaced = await countFiles(transaction, (eb) => eb('path', 'in', eb.selectFrom('change').select('path')));
    await transaction
      .deleteFrom('file')
      .where('path', 'in', (eb) => eb.selectFrom('change').select('path'))
      .execute();
    // A first build has recorded its files already.
    const before = info.has('files') ? undefined : await countFiles(transaction);
    const written = await transaction
      .selectFrom('change')
      .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('bytes').as('bytes')])
      .where('action', '=', 'write')
      .executeTakeFirstOrThrow();
    await transaction
      .insertInto('file')
      .columns(['path', 'route', 'key', 'sha256', 'bytes'])
      .expression((eb) =>
        eb
          .selectFrom('change')
          .select(['path', 'route', 'key', (select) => select.ref('sha256').$notNull().as('sha256'), 'bytes'])
          .where('action', '=', 'write'),
      )
      .execute();
    await transaction.deleteFrom('change').execute();
    const totals = {
      files: (before?.files ?? Number(info.get('files')) - replaced.files) + written.files,
      bytes: (before?.bytes ?? Number(info.get('bytes')) - replaced.bytes) + (written.bytes ?? 0),
    };
    await writeInfo(transaction, [
      ['index_id', info.get('planned_index_id') ?? ''],
      ['revision', info.get('planned_revision') ?? '0'],
      ['fingerprint', info.get('planned_fingerprint') ?? ''],
      ['chain_id', info.get('planned_chain_id') ?? ''],
      ['files', String(totals.files)],
      ['bytes', String(totals.bytes)],
    ]);
    await transaction.deleteFrom('info').where('key', 'like', 'planned_%').execute();
    if (wasInterrupted) await writeInfo(transaction, [[LIST_GOES_ON, '1']]);
    else await endList(transaction);
    return totals;
  });
}

async function countFiles(
  record: Reader,
  which?: (eb: ExpressionBuilder<RecordSchema, 'file'>) => Expression<SqlBool>,
): Promise<BuildTotals> {
  const row = await record
    .selectFrom('file')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('bytes').as('bytes')])
    .$if(which !== undefined, (query) => query.where(which as NonNullable<typeof which>))
    .executeTakeFirstOrThrow();
  return { files: row.files, bytes: row.bytes ?? 0 };
}

async function readInfo(record: Reader): Promise<Map<string, string>> {
  const rows = await record.selectFrom('info').selectAll().execute();
  return new Map(rows.map((row) => [row.key, row.value]));
}

async function writeInfo(record: RecordWriter, entries: readonly (readonly [string, string])[]): Promise<void> {
  await record
    .insertInto('info')
    .values(entries.map(([key, value]) => ({ key, value })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: (eb) => eb.ref('excluded.value') }))
    .execute();
}

function toFile({ path, route, key, sha256, bytes }: FileTable): RecordedFile {
  return { path, route, key, hash: sha256.toString('hex'), bytes };
}

function toChange(row: ChangeTable): RecordedChange {
  const { path, action, route, key, bytes } = row;
  return { path, action, route, key, hash: row.sha256?.toString('hex'), bytes };
}
