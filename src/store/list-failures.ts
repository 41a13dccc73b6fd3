// Lists what failed for each token, with what is left to try, for `stxpress status --failures`.

import type { StoreReader } from './index-database.ts';
import { parseFailures } from './tokens.ts';

export interface ListedFailure {
  readonly contractId: string;
  /** What failed: `token`, a getter, `document`, or `document de` for a locale. */
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
    .select(['contract.contract_id', 'token.failure_code', 'token.failure_message', 'token.getter_failures'])
    .where((eb) => eb.or([eb('token.failure_code', 'is not', null), eb('token.getter_failures', '<>', '[]')]))
    .execute();
  const documents = await store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .innerJoin('document', 'document.token_id', 'token.token_id')
    .leftJoin('job', (join) =>
      join
        .onRef('job.token_id', '=', 'document.token_id')
        .onRef('job.locale', '=', 'document.locale')
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
  const listed: ListedFailure[] = [];
  for (const row of tokens) {
    const contractId = row.contract_id;
    if (row.failure_code !== null) {
      listed.push({ contractId, what: 'token', code: row.failure_code, message: row.failure_message ?? '', ...final });
    }
    for (const { getter, code, message } of parseFailures(row.getter_failures)) {
      listed.push({ contractId, what: getter, code, message, ...final });
    }
  }
  for (const row of documents) {
    listed.push({
      contractId: row.contract_id,
      what: `document ${row.locale}`.trim(),
      code: row.failure_code ?? '',
      message: row.failure_message ?? '',
      attempts: row.attempts ?? undefined,
      nextAttemptAt: row.next_attempt_at ?? undefined,
    });
  }
  return listed.sort((left, right) =>
    left.contractId < right.contractId ? -1 : left.contractId > right.contractId ? 1 : 0,
  );
}
