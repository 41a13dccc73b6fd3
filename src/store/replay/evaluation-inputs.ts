// Stores the contracts and variables that evaluations of tokens read, and queues the tokens again if these change.

import { type RawBuilder, sql } from 'kysely';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { readInfo, writeInfo } from '../index-info.ts';
import { RESET_JOB } from '../schema/work.ts';

export interface EvaluationInputs {
  /** Ids of contracts, including the contract of the token. */
  readonly contractIds: readonly string[];
  /** Keys of variables (clarity/name-key.ts). */
  readonly variableKeys: readonly number[];
}

/** Replaces the inputs of earlier evaluations of the token. */
export async function writeEvaluationInputs(
  store: StoreWriter,
  tokenId: number,
  { contractIds, variableKeys }: EvaluationInputs,
): Promise<void> {
  await store.deleteFrom('evaluation_input').where('token_id', '=', tokenId).execute();
  await store.deleteFrom('evaluation_variable').where('token_id', '=', tokenId).execute();
  const contracts = contractIds.map((contractId) => ({ token_id: tokenId, contract_id: contractId }));
  await insertRows(store, 'evaluation_input', contracts);
  const variables = [...new Set(variableKeys)].map((key) => ({ token_id: tokenId, variable_key: key }));
  await insertRows(store, 'evaluation_variable', variables);
}

/** Returns the tokens among these that were evaluated before, with any result. */
export async function evaluatedAmong(store: StoreReader, tokenIds: readonly number[]): Promise<Set<number>> {
  const inputs = store.selectFrom('evaluation_input').select('token_id').distinct();
  const rows = await inputs.where('token_id', 'in', listed(tokenIds)).execute();
  return new Set(rows.map((row) => row.token_id));
}

/** Queues tokens whose evaluations read one of these contracts. */
export async function queueEvaluations(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  if (contractIds.length === 0) return;
  await queueTokens(store, sql`select token_id from evaluation_input where contract_id in ${listed(contractIds)}`);
}

/** Queues tokens whose values new calls of these shapes may decide. */
export async function queueCalled(store: StoreWriter, shapeIds: readonly number[]): Promise<void> {
  if (shapeIds.length === 0) return;
  await queueTokens(
    store,
    sql`select token_id from shape_write cross join evaluation_variable using (variable_key)
      where shape_id in ${listed(shapeIds)}`,
  );
}

/** Queues all evaluated tokens, because blocks went missing or missing blocks arrived. */
export async function queueEvaluated(store: StoreWriter): Promise<void> {
  await queueTokens(store, sql`select token_id from evaluation_input`);
}

/** Queues tokens that reached the limit of calls if the last run had a lower limit. Stores the new limit. */
export async function queueLimited(store: StoreWriter, maxCalls: number): Promise<void> {
  const { maxCalls: before = maxCalls } = await readInfo(store);
  if (maxCalls > before)
    await queueTokens(
      store,
      sql`select main.token_id from reading join token using (token_id)
        join token as main on main.deploy_id = token.deploy_id and main.token_number = ''
        where reading.failure_code = 'replay-limit' and reading.source = 'vm'`,
    );
  await writeInfo(store, { maxCalls });
}

/**
 * Queues tokens whose last evaluation timed out, crashed, or left out diverged calls. An empty `contractIds` selects
 * all contracts.
 */
export async function queueFailedEvaluations(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const isNamed = contractIds.length === 0 ? sql`true` : sql`contract_id in ${listed(contractIds)}`;
  await queueTokens(
    store,
    sql`select token_id from contract join token using (deploy_id) left join reading using (token_id)
      where ${isNamed} and token_number = ''
        and (token.failure_code in ('vm-timeout', 'vm-crash') or reading.failure_code = 'replay-diverged')`,
  );
}

async function queueTokens(store: StoreWriter, tokens: RawBuilder<unknown>): Promise<void> {
  await sql`insert into job (kind, token_id) select distinct 'evaluate-token', token_id from (${tokens}) where true
    on conflict do update set ${sql.raw(RESET_JOB)}`.execute(store);
}
