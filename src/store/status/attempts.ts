// Reads the last and the next attempt to fetch the documents of tokens.

import type { StoreReader } from '../index-database.ts';

export interface Attempts {
  readonly contractId: string;
  /** Milliseconds since the epoch. */
  readonly failedAt: number;
  readonly nextAttemptAt: number;
}

/** Reads the attempts for documents of fungible tokens and collections that failed and will be fetched again. */
export function readAttempts(store: StoreReader): Promise<Attempts[]> {
  return store
    .selectFrom('job')
    .innerJoin('served_token', 'served_token.token_id', 'job.token_id')
    .select(['served_token.contract_id as contractId', 'failed_at as failedAt', 'next_attempt_at as nextAttemptAt'])
    .where('job.kind', '=', 'fetch-document')
    .where('job.locale', '=', '')
    .where('failed_at', 'is not', null)
    .orderBy('contractId')
    .$narrowType<{ failedAt: number }>()
    .execute();
}
