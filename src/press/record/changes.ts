// Queries about the changes under way: they are recorded before they are made, so that a crash can be made good.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { readValues, writeValues } from '#sqlite/info.ts';
import { inPages, insertRows } from '#sqlite/lists.ts';
import type {
  BuildOrigin,
  BuildRecord,
  BuildTotals,
  RecordedChange,
  RecordedFile,
  RecordReader,
  RecordSchema,
  RecordWriter,
} from './build-record.ts';

const CHANGES_PER_READ = 2_000;
/** The origin that the record will have once all changes are in place. */
const PLANNED = 'planned_origin';

export async function insertChanges(record: RecordWriter, changes: readonly RecordedChange[]): Promise<void> {
  const rows = changes.map(({ hash, ...change }) => ({ ...change, sha256: hash ? Buffer.from(hash, 'hex') : null }));
  await insertRows(record, 'change', rows);
}

export async function* readRemovals(record: RecordReader): AsyncGenerator<string[]> {
  const removals = record.selectFrom('change').select('path').where('action', '=', 'remove').orderBy('path');
  const pages = inPages(
    (after) => removals.where('path', '>', after).limit(CHANGES_PER_READ).execute(),
    ({ path }) => path,
    '',
  );
  for await (const rows of pages) yield rows.map(({ path }) => path);
}

/** A file that is written or removed: what it is before and after that, if it is there. */
interface Replaced {
  readonly path: string;
  readonly before: PlacedFile | undefined;
  readonly after: PlacedFile | undefined;
}

type PlacedFile = Pick<RecordedFile, 'route' | 'hash'>;

export async function* readReplaced(record: RecordReader): AsyncGenerator<Replaced[]> {
  const changes = record
    .selectFrom('change')
    .leftJoin('file', 'file.path', 'change.path')
    .select(['change.path', 'change.route', 'change.sha256', 'file.route as route_before', 'file.sha256 as before'])
    .orderBy('change.path');
  const pages = inPages(
    (after) => changes.where('change.path', '>', after).limit(CHANGES_PER_READ).execute(),
    ({ path }) => path,
    '',
  );
  const placed = (route: string | null, sha256: Buffer | null): PlacedFile | undefined =>
    route === null || sha256 === null ? undefined : { route, hash: sha256.toString('hex') };
  for await (const rows of pages)
    yield rows.map(({ path, route, sha256, route_before, before }) => {
      return { path, before: placed(route_before, before), after: placed(route, sha256) };
    });
}

/** Records the origin that the build will have once all changes are in place. */
export async function writePlannedOrigin(record: RecordWriter, origin: BuildOrigin): Promise<void> {
  await writeValues(record, { [PLANNED]: JSON.stringify(origin) });
}

/** True if a build was interrupted after it had decided what to change. */
export async function hasPlan(record: RecordReader): Promise<boolean> {
  return (await readValues(record))[PLANNED] !== undefined;
}

/** Set while the list of changes holds those of an interrupted build, until a build ends. */
const LIST_GOES_ON = 'list_goes_on';

export async function listGoesOn(record: RecordReader): Promise<boolean> {
  return (await readValues(record))[LIST_GOES_ON] !== undefined;
}

export async function endList(record: RecordReader): Promise<void> {
  await writeValues(record, { [LIST_GOES_ON]: undefined });
}

/** The changes are in place: they become files, and the planned origin the record's. */
export async function finishChanges(record: BuildRecord, wasInterrupted: boolean): Promise<BuildTotals> {
  return record.transaction().execute(async (transaction) => {
    const info = await readValues(transaction);
    const replaced = await countFiles(transaction, (eb) => eb('path', 'in', eb.selectFrom('change').select('path')));
    await transaction
      .deleteFrom('file')
      .where('path', 'in', (eb) => eb.selectFrom('change').select('path'))
      .execute();
    // A first build has recorded its files already.
    const before = info.files !== undefined ? undefined : await countFiles(transaction);
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
      files: (before?.files ?? Number(info.files) - replaced.files) + written.files,
      bytes: (before?.bytes ?? Number(info.bytes) - replaced.bytes) + (written.bytes ?? 0),
    };
    await writeValues(transaction, {
      origin: info[PLANNED],
      [PLANNED]: undefined,
      files: String(totals.files),
      bytes: String(totals.bytes),
      [LIST_GOES_ON]: wasInterrupted ? '1' : undefined,
    });
    return totals;
  });
}

async function countFiles(
  record: RecordReader,
  which?: (eb: ExpressionBuilder<RecordSchema, 'file'>) => Expression<SqlBool>,
): Promise<BuildTotals> {
  const row = await record
    .selectFrom('file')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.sum<number>('bytes').as('bytes')])
    .$if(which !== undefined, (query) => query.where(which as NonNullable<typeof which>))
    .executeTakeFirstOrThrow();
  return { files: row.files, bytes: row.bytes ?? 0 };
}
