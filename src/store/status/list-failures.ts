// Lists failures of each token and their next attempts, for `stxpress status --failures`.
import type { StoreReader } from '../index-database.ts';

export interface ListedFailure {
  readonly contractId: string;
  /** `contract`, `token`, `values` (from a node), `token list from 60`, a getter, `document`, or `document de`. */
  readonly what: string;
  readonly code: string;
  readonly message: string;
  /** Number of attempts; undefined if it will not be tried again. */
  readonly attempts: number | undefined;
  /** Earliest time of the next attempt, in ms since the epoch. */
  readonly nextAttemptAt: number | undefined;
}

/** Sorted by contract id. */
export async function listFailures(store: StoreReader): Promise<ListedFailure[]> {
  const failed = ['failure_code', 'failure_message'] as const;
  const contracts = await store
    .selectFrom('report')
    .select(['contract_id', ...failed])
    .where('failure_code', 'is not', null)
    .execute();
  const tokens = store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .select('contract.contract_id');
  const states = await tokens
    .select(['token.failure_code', 'token.failure_message'])
    .where('token.failure_code', 'is not', null)
    .execute();
  const getters = await tokens
    .innerJoin('reading', 'reading.token_id', 'token.token_id')
    .select(['reading.getter', 'reading.failure_code', 'reading.failure_message'])
    .where('reading.failure_code', 'is not', null)
    .execute();
  const jobs = await store
    .selectFrom('job')
    .select(['kind', 'contract_id', 'list_offset', ...failed, 'attempts', 'next_attempt_at'])
    .where('kind', 'in', ['list-tokens', 'fetch-contract', 'read-values'])
    .where('failure_code', 'is not', null)
    .execute();
  const documents = await tokens
    .innerJoin('document', 'document.token_id', 'token.token_id')
    .leftJoin('job', (join) =>
      join
        .onRef('job.token_id', '=', 'document.token_id')
        .onRef('job.locale', '=', 'document.locale')
        .on('job.kind', '=', 'fetch-document'),
    )
    .select(['document.locale', 'document.failure_code', 'document.failure_message'])
    .select(['job.attempts', 'job.next_attempt_at'])
    .where('document.failure_code', 'is not', null)
    .execute();
  const listed = [
    ...contracts.map((row) => describe('contract', row)),
    ...states.map((row) => describe('token', row)),
    ...getters.map((row) => describe(row.getter, row)),
    ...jobs.map((row) => {
      if (row.kind === 'list-tokens') return describe(`token list from ${row.list_offset}`, row);
      return describe(row.kind === 'fetch-contract' ? 'contract' : 'values', row);
    }),
    ...documents.map((row) => describe(`document ${row.locale}`.trim(), row)),
  ];
  return listed.sort((left, right) =>
    left.contractId < right.contractId ? -1 : left.contractId > right.contractId ? 1 : 0,
  );
}

interface FailedRow {
  readonly contract_id: string;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly attempts?: number | null;
  readonly next_attempt_at?: number | null;
}

function describe(what: string, row: FailedRow): ListedFailure {
  return {
    contractId: row.contract_id,
    what,
    code: row.failure_code ?? '',
    message: row.failure_message ?? '',
    attempts: row.attempts ?? undefined,
    nextAttemptAt: row.next_attempt_at ?? undefined,
  };
}
