// Lists what failed for each token, with what is left to try, for `stxpress status --failures`.

import type { StoreReader } from './index-database.ts';

export interface ListedFailure {
  readonly contractId: string;
  /** What failed: `contract`, `token`, `values` of a node, `token list from 60`, a getter, `document`, or `document de` for a locale. */
  readonly what: string;
  readonly code: string;
  readonly message: string;
  /** How often it was tried; undefined where it is not tried again. */
  readonly attempts: number | undefined;
  /** When it may be tried again, in ms since the epoch. */
  readonly nextAttemptAt: number | undefined;
}

/** In the order of the contract ids. */
export async function listFailures(store: StoreReader): Promise<ListedFailure[]> {
  const tokens = await store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .select(['contract.contract_id', 'token.failure_code', 'token.failure_message'])
    .where('token.failure_code', 'is not', null)
    .execute();
  const getters = await store
    .selectFrom('reading')
    .innerJoin('token', 'token.token_id', 'reading.token_id')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['contract.contract_id', 'reading.getter', 'reading.failure_code', 'reading.failure_message'])
    .where('reading.failure_code', 'is not', null)
    .execute();
  const contracts = await store
    .selectFrom('report')
    .select(['contract_id', 'failure_code', 'failure_message'])
    .where('failure_code', 'is not', null)
    .execute();
  const jobs = await store
    .selectFrom('job')
    .select(['kind', 'contract_id', 'part', 'failure_code', 'failure_message', 'attempts', 'next_attempt_at'])
    .where('kind', 'in', ['list-tokens', 'fetch-contract', 'read-values'])
    .where('failure_code', 'is not', null)
    .execute();
  const documents = await store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .innerJoin('document', 'document.token_id', 'token.token_id')
    .leftJoin('job', (join) =>
      join
        .onRef('job.token_id', '=', 'document.token_id')
        .onRef('job.part', '=', 'document.locale')
        .on('job.kind', '=', 'fetch-document'),
    )
    .select([
      'contract.contract_id',
      'document.locale',
      'document.failure_code',
      'document.failure_message',
      'job.attempts',
      'job.next_attempt_at',
    ])
    .where('document.failure_code', 'is not', null)
    .execute();
  const final = { attempts: undefined, nextAttemptAt: undefined };
  const of = (
    what: string,
    row: { contract_id: string; failure_code: string | null; failure_message: string | null },
  ): ListedFailure => ({
    contractId: row.contract_id,
    what,
    code: row.failure_code ?? '',
    message: row.failure_message ?? '',
    ...final,
  });
  const listed = [
    ...contracts.map((row) => of('contract', row)),
    ...tokens.map((row) => of('token', row)),
    ...getters.map((row) => of(row.getter, row)),
  ];
  for (const { kind, part, attempts, next_attempt_at: nextAttemptAt, ...row } of jobs) {
    const what = { 'list-tokens': `token list from ${part}`, 'fetch-contract': 'contract' }[kind] ?? 'values';
    listed.push({ ...of(what, row), attempts, nextAttemptAt });
  }
  for (const row of documents) {
    const { attempts, next_attempt_at: nextAttemptAt } = row;
    listed.push({
      ...of(`document ${row.locale}`.trim(), row),
      attempts: attempts ?? undefined,
      nextAttemptAt: nextAttemptAt ?? undefined,
    });
  }
  return listed.sort((left, right) =>
    left.contractId < right.contractId ? -1 : left.contractId > right.contractId ? 1 : 0,
  );
}
