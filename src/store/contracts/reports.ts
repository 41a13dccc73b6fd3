// Queries about reports: the last API response about each contract, or the reason why it is missing.

import { type SqlBool, sql } from 'kysely';
import type { Failure, Reason } from '#model/failure.ts';
import { countRows } from '#sqlite/aggregates.ts';
import { excluded, toFlag } from '#sqlite/columns.ts';
import { insertRows, rowsWith } from '#sqlite/lists.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Candidate } from './candidates.ts';

export interface NewReport extends Pick<Candidate, 'contractId' | 'deployId' | 'blockHeight' | 'canonical'> {
  /** The height of the chain tip when the API responded; undefined if the response lacked the height. */
  readonly tipHeight: number | undefined;
}

export async function writeReports(store: StoreWriter, reports: readonly NewReport[]): Promise<void> {
  const rows = reports.map((report) => ({
    contract_id: report.contractId,
    deploy_id: report.deployId,
    block_height: report.blockHeight,
    canonical: toFlag(report.canonical),
    tip_height: report.tipHeight ?? null,
    ...failureColumns(undefined),
  }));
  const columns = ['deploy_id', 'block_height', 'canonical', 'tip_height', 'failure_code', 'failure_message'] as const;
  await insertRows(store, 'report', rows, (conflict) =>
    conflict
      .doUpdateSet(excluded(...columns))
      // Keeps the report with the higher tip, because one of several servers at an address may lag.
      .where(sql<SqlBool>`coalesce(excluded.tip_height, report.tip_height, 0) >= coalesce(report.tip_height, 0)`),
  );
}

/** Stores the failure of a lookup, unless an API reported the contract earlier. */
export async function writeReportFailure(store: StoreWriter, contractId: string, failure: Failure): Promise<void> {
  const row = failureColumns(failure);
  await store
    .insertInto('report')
    .values({ contract_id: contractId, deploy_id: null, block_height: null, canonical: null, tip_height: null, ...row })
    .onConflict((conflict) => conflict.column('contract_id').doUpdateSet(row).where('report.deploy_id', 'is', null))
    .execute();
}

/** Returns the contracts for which a response of an API is stored. The value is true if the API knew the contract. */
export async function readKnownToApi(store: StoreReader, contractIds: readonly string[]) {
  const rows = await rowsWith(store, 'report', 'contract_id', contractIds);
  return new Map(rows.map((row) => [row.contract_id, row.deploy_id !== null]));
}

/** Returns the failure of the API's last response about a contract; undefined after a success or without a request. */
export async function readReportFailure(store: StoreReader, contractId: string): Promise<Reason | undefined> {
  return (await rowsWith(store, 'report', 'contract_id', [contractId])).map(storedFailure)[0];
}

export async function countReports(store: StoreReader): Promise<{ known: number; unknown: number }> {
  const reports = store.selectFrom('report');
  const known = await countRows(reports.where('deploy_id', 'is not', null));
  return { known, unknown: (await countRows(reports)) - known };
}
