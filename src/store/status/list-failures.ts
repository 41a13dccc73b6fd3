// Lists failures of each token and their next attempts, for `stxpress status --failures`.
import { sql } from 'kysely';
import { withoutNulls } from '#sqlite/columns.ts';
import type { StoreReader } from '../index-database.ts';

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
