// Counts served contracts, tokens by standard, token states and failures.
import { type SqlBool, sql } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import type { TokenStandard, TokenState } from '#model/token.ts';
import { countBy, countRows } from '#sqlite/aggregates.ts';
import type { StoreReader } from '../index-database.ts';

export function countAllContracts(store: StoreReader): Promise<number> {
  return countRows(store.selectFrom('contract'));
}

export async function countContracts(store: StoreReader) {
  const contracts = store.selectFrom('contract');
  const all = await countRows(contracts);
  // The conditions are literals, so that SQLite can choose the partial indexes when it prepares the statements.
  const orphaned = await countRows(contracts.where(sql<SqlBool>`canonical = 0`));
  const unconfirmed = await countRows(contracts.where(sql<SqlBool>`confirmed = 0 and canonical = 1`));
  const tokens = store
    .selectFrom('deploy')
    // The cross join makes SQLite start from deploys, because few of them are tokens.
    .crossJoin('contract')
    .whereRef('contract.deploy_id', '=', 'deploy.deploy_id')
    .where('deploy.standard', 'is not', null)
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1);
  const byStandard = { 'sip-009': 0, 'sip-010': 0, 'sip-013': 0, ...(await countBy(tokens, 'deploy.standard')) };
  return { contracts: all, canonical: all - orphaned, unconfirmed, byStandard };
}

/** Counts the served tokens and collections of some standards. */
export function countServedTokens(store: StoreReader, standards: readonly TokenStandard[]): Promise<number> {
  return countRows(store.selectFrom('served_token').where('standard', 'in', standards));
}

export async function countTokenStates(store: StoreReader): Promise<Record<TokenState, number>> {
  const counts = await countBy(store.selectFrom('served_token').where('standard', '=', 'sip-010'), 'state');
  return { queued: 0, complete: 0, partial: 0, error: 0, ...counts };
}

/** Counts the failures in these tables by code. The codes are sorted. */
export function countFailures(
  store: StoreReader,
  tables: readonly ('token' | 'reading' | 'document' | 'image' | 'job')[],
): Promise<Record<string, number>> {
  const codes = tables.map((table) => sql`select failure_code from ${sql.table(table)} where failure_code is not null`);
  const failed = sql<{ failure_code: FailureCode }>`(${sql.join(codes, sql` union all `)})`;
  return countBy(store.selectFrom(failed.as('failed')), 'failure_code');
}
