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
  /** Empty for a failure that concerns no contract. */
  readonly contractId: string;
  /** Decimal id of a token of a collection; undefined for a contract or its fungible token. */
  readonly tokenId: string | undefined;
  /** The failed part: a getter, `contract`, `interface`, `token list from 60`, `document de`, `image` and so on. */
  readonly what: string;
  readonly code: string;
  readonly message: string;
  /** Number of attempts; undefined if the failure is final. */
  readonly attempts: number | undefined;
  /** Earliest time of the next attempt, in ms since the epoch. */
  readonly nextAttemptAt: number | undefined;
}

/** Lists failures by contract id and token id, and for each token in the order in which its parts are read. */
export async function listFailures(store: StoreReader): Promise<ListedFailure[]> {
  const { rows } = await sql<ListedFailure>`
    with failed (rank, contractId, tokenId, what, code, message, attempts, nextAttemptAt) as (
      select 0, contract_id, '', 'contract', failure_code, failure_message, null, null from report
      union all select 0, contract_id, '', 'interface', failure_code, failure_message, null, null
        from interface_attempt join deploy using (deploy_id) join contract using (deploy_id, contract_id)
        where interface_from is null
      union all select 1, contract_id, token_number, 'token', token.failure_code, token.failure_message, null, null
        from contract join token using (deploy_id)
      union all select 2, contract_id, token_number, getter, reading.failure_code, reading.failure_message, null, null
        from contract join token using (deploy_id) join reading using (token_id)
      union all select 3, coalesce(contract.contract_id, job.contract_id), token_number,
          case kind when 'list-tokens' then 'token list from ' || list_offset when 'list-numbers' then 'token ids'
            when 'read-values' then 'values' when 'evaluate-token' then 'evaluation'
            when 'compute-interface' then 'interface' else 'contract' end,
          job.failure_code, job.failure_message, attempts, next_attempt_at
        from job left join token using (token_id) left join contract using (deploy_id)
        where kind not in ('fetch-document', 'fetch-image')
      union all select 4, contract.contract_id, token_number, trim('document ' || document.locale),
          document.failure_code, document.failure_message, attempts, next_attempt_at
        from contract join token using (deploy_id) join document using (token_id)
        left join job on job.token_id = document.token_id and job.locale = document.locale
          and job.kind = 'fetch-document'
      union all select 5, contract.contract_id, token_number, trim('image ' || document.locale),
          image.failure_code, image.failure_message, attempts, next_attempt_at
        from image join document on json_extract(document.document, '$.image') = image.uri
        join token using (token_id) join contract using (deploy_id)
        left join job on job.token_id = document.token_id and job.locale = document.locale
          and job.kind = 'fetch-image'
    )
    select contractId, nullif(tokenId, '') as tokenId, what, code, message, attempts, nextAttemptAt from failed
    where code is not null order by contractId, length(tokenId), tokenId, rank, what`.execute(store);
  return rows.map(withoutNulls);
}
