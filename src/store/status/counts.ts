// Counts served contracts, tokens by standard, token states and failures. Lists the failures with their next attempts.
import { type SqlBool, sql } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import type { TokenStandard, TokenState } from '#model/token.ts';
import { countBy, countRows } from '#sqlite/aggregates.ts';
import { withoutNulls } from '#sqlite/columns.ts';
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

export interface ListedFailure {
  readonly contractId: string;
  /** The failed part: a getter, `contract`, `interface`, `values` of a node, `token list from 60` or `document de`. */
  readonly what: string;
  readonly code: string;
  readonly message: string;
  /** Number of attempts; undefined if the failure is final. */
  readonly attempts: number | undefined;
  /** Earliest time of the next attempt, in ms since the epoch. */
  readonly nextAttemptAt: number | undefined;
}

/** Lists failures by contract id. The failures of a contract are in the order in which its parts are read. */
export async function listFailures(store: StoreReader): Promise<ListedFailure[]> {
  const { rows } = await sql<ListedFailure>`
    with failed (rank, contractId, what, code, message, attempts, nextAttemptAt) as (
      select 0, contract_id, 'contract', failure_code, failure_message, null, null from report
      union all select 0, contract_id, 'interface', failure_code, failure_message, null, null
        from interface_attempt join deploy using (deploy_id) join contract using (deploy_id, contract_id)
        where interface_from is null
      union all select 1, contract_id, 'token', token.failure_code, token.failure_message, null, null
        from contract join token using (deploy_id)
      union all select 2, contract_id, getter, reading.failure_code, reading.failure_message, null, null
        from contract join token using (deploy_id) join reading using (token_id)
      union all select 3, contract_id,
          case kind when 'list-tokens' then 'token list from ' || list_offset when 'read-values' then 'values'
            else 'contract' end,
          failure_code, failure_message, attempts, next_attempt_at
        from job where kind in ('list-tokens', 'fetch-contract', 'read-values')
      union all select 4, contract.contract_id, trim('document ' || document.locale), document.failure_code,
          document.failure_message, attempts, next_attempt_at
        from contract join token using (deploy_id) join document using (token_id)
        left join job on job.token_id = document.token_id and job.locale = document.locale
          and job.kind = 'fetch-document'
    )
    select contractId, what, code, message, attempts, nextAttemptAt from failed
    where code is not null order by contractId, rank, what`.execute(store);
  return rows.map(withoutNulls);
}
