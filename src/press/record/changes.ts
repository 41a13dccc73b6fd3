// Queries about the changes under way: they are recorded before they are made, so that a crash can be made good.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { formatShard } from '#model/shard.ts';
import { readValues, writeValues } from '#sqlite/info.ts';
import { inPages, inRuns } from '#sqlite/lists.ts';
import type {
  BuildOrigin,
  BuildRecord,
  BuildTotals,
  RecordedChange,
  RecordReader,
  RecordWriter,
} from './build-record.ts';
import type { RecordSchema } from './schema.ts';

const CHANGES_PER_READ = 2_000;
/** Before the key of what the record's info will have once all changes are in place. */
const PLANNED = 'planned_';

export async function insertChanges(record: RecordWriter, changes: readonly RecordedChange[]): Promise<void> {
  for (const run of inRuns(changes, 6)) {
    const rows = run.map(({ path, action, route, key, hash, bytes }) => {
      const sha256 = hash === undefined ? null : Buffer.from(hash, 'hex');
      return { path, action, route, key, sha256, bytes };
    });
    await record.insertInto('change').values(rows).execute();
  }
}

export async function* readChanges(
  record: RecordReader,
  action?: RecordedChange['action'],
): AsyncGenerator<RecordedChange[]> {
  const pages = inPages(
    (after) =>
      record
        .selectFrom('change')
        .selectAll()
        .where('path', '>', after)
        .$if(action !== undefined, (query) => query.where('action', '=', action as RecordedChange['action']))
        .orderBy('path')
        .limit(CHANGES_PER_READ)
        .execute(),
    (row) => row.path,
    '',
  );
  for await (const rows of pages) yield rows.map(({ sha256, ...row }) => ({ ...row, hash: sha256?.toString('hex') }));
}

/** Records the origin that the build will have once all changes are in place. */
export async function writePlannedOrigin(
  record: RecordWriter,
  { indexId, indexFile, chainId, revision, history, fingerprint, shard }: BuildOrigin,
): Promise<void> {
  await writeValues(record, {
    [`${PLANNED}index_id`]: indexId,
    [`${PLANNED}index_file`]: indexFile,
    [`${PLANNED}chain_id`]: chainId === undefined ? '' : String(chainId),
    [`${PLANNED}revision`]: String(revision),
    [`${PLANNED}history`]: history,
    [`${PLANNED}fingerprint`]: fingerprint,
    [`${PLANNED}shard`]: shard === undefined ? '' : formatShard(shard),
  });
}

/** Whether a build was interrupted after it had decided what to change. */
export async function hasPlan(record: RecordReader): Promise<boolean> {
  return (await readValues(record))[`${PLANNED}index_id`] !== undefined;
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
    const planned = Object.entries(info).filter(([key]) => key.startsWith(PLANNED));
    await writeValues(transaction, {
      ...Object.fromEntries(planned.map(([key, value]) => [key.slice(PLANNED.length), value])),
      files: String(totals.files),
      bytes: String(totals.bytes),
    });
    await transaction.deleteFrom('info').where('key', 'like', `${PLANNED}%`).execute();
    if (wasInterrupted) await writeValues(transaction, { [LIST_GOES_ON]: '1' });
    else await endList(transaction);
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
