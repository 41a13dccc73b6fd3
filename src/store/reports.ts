// Queries about reports: what an API last said about each contract, or why it says nothing.
import type { Failure } from '#model/failure.ts';
import { deployIds } from './deploys.ts';
import { excluded } from './excluded.ts';
import { toFlag } from './flags.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';
import { failureColumns } from './stored-failure.ts';

export interface NewReport {
  readonly contractId: string;
  readonly txId: string;
  readonly blockHeight: number;
  readonly canonical: boolean;
  /** Tip of the chain when the API was asked; undefined if it did not tell. */
  readonly tipHeight: number | undefined;
}

/** The deploys must be stored already. */
export async function writeReports(store: StoreWriter, reports: readonly NewReport[]): Promise<void> {
  for (const run of inRuns(reports, 5)) {
    const ids = await deployIds(
      store,
      run.map((report) => report.txId),
    );
    await store
      .insertInto('report')
      .values(
        run.map((report) => ({
          contract_id: report.contractId,
          deploy_id: ids.get(report.txId) as number,
          block_height: report.blockHeight,
          canonical: toFlag(report.canonical),
          tip_height: report.tipHeight ?? null,
          ...failureColumns(undefined),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .column('contract_id')
          .doUpdateSet({
            ...excluded('deploy_id', 'block_height', 'canonical', 'tip_height'),
            ...failureColumns(undefined),
          })
          // Behind an address may be several servers, of which one is behind.
          .where((eb) =>
            eb(
              eb.fn.coalesce('excluded.tip_height', 'report.tip_height', eb.lit(0)),
              '>=',
              eb.fn.coalesce('report.tip_height', eb.lit(0)),
            ),
          ),
      )
      .execute();
  }
}

/** A failure takes nothing away that was said before. */
export async function writeReportFailure(store: StoreWriter, contractId: string, failure: Failure): Promise<void> {
  const row = failureColumns(failure);
  await store
    .insertInto('report')
    .values({ contract_id: contractId, deploy_id: null, block_height: null, canonical: null, tip_height: null, ...row })
    .onConflict((conflict) => conflict.column('contract_id').doUpdateSet(row).where('report.deploy_id', 'is', null))
    .execute();
}

/** Those of the given contracts about which an API said something, and whether it knew them. */
export async function readReported(store: StoreReader, contractIds: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await readInRuns(contractIds, (run) =>
    store.selectFrom('report').select(['contract_id', 'deploy_id']).where('contract_id', 'in', run).execute(),
  );
  return new Map(rows.map((row) => [row.contract_id, row.deploy_id !== null]));
}

export async function countReports(store: StoreReader): Promise<{ known: number; unknown: number }> {
  const row = await store
    .selectFrom('report')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('deploy_id').as('known')])
    .executeTakeFirstOrThrow();
  return { known: row.known, unknown: row.all - row.known };
}
