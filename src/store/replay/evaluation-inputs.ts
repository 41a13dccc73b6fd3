// Stores the contracts and variables that the evaluation of a token read. Queues the token again if one of them
// changes.

import { type RawBuilder, sql } from 'kysely';
import type { FailureCode } from '#model/failure.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { readInfo, writeInfo } from '../index-info.ts';
import { RESET_JOB } from '../schema/work.ts';

export interface EvaluationInputs {
  /** The ids of the contracts that were read, including the contract of the token. */
  readonly contractIds: readonly string[];
  /** The keys of the variables that were read (clarity/name-key.ts). */
  readonly variableKeys: readonly number[];
}

/** Stores the inputs of a token's last evaluation, and deletes the inputs of earlier evaluations. */
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

/** Returns those tokens that were evaluated before, successfully or not. */
export async function evaluatedAmong(store: StoreReader, tokenIds: readonly number[]): Promise<Set<number>> {
  const inputs = store.selectFrom('evaluation_input').select('token_id').distinct();
  const rows = await inputs.where('token_id', 'in', listed(tokenIds)).execute();
  return new Set(rows.map((row) => row.token_id));
}

/** True if any token was evaluated. */
export async function hasEvaluated(store: StoreReader): Promise<boolean> {
  return (await store.selectFrom('evaluation_input').select('token_id').limit(1).executeTakeFirst()) !== undefined;
}

/** Queues the evaluation of tokens whose values may depend on new calls of these kinds. */
export async function queueCalled(store: StoreWriter, kindIds: readonly number[]): Promise<void> {
  if (kindIds.length === 0) return;
  await queueTokens(
    store,
    sql`select token_id from kind_write cross join evaluation_variable using (variable_key)
      where kind_id in ${listed(kindIds)}`,
  );
}

/** Queues the evaluation of tokens whose last evaluation read one of these variables. */
export async function queueVariables(store: StoreWriter, keys: readonly number[]): Promise<void> {
  if (keys.length === 0) return;
  await queueTokens(store, sql`select token_id from evaluation_variable where variable_key in ${listed(keys)}`);
}

/** Queues another evaluation of all evaluated tokens. Needed when blocks go missing, or missing blocks arrive. */
export async function queueEvaluated(store: StoreWriter): Promise<void> {
  await queueTokens(store, sql`select token_id from evaluation_input`);
}

/**
 * Stores the limits of calls and of processor time per token. If the last run had a lower limit, queues the tokens that
 * exceeded it. Returns true if the limit of processor time has grown.
 */
export async function queueLimited(
  store: StoreWriter,
  { maxCalls, vmTimeoutMs }: { readonly maxCalls: number; readonly vmTimeoutMs: number },
): Promise<boolean> {
  const before = await readInfo(store);
  if (maxCalls > (before.maxCalls ?? maxCalls)) await queueUnproven(store, 'replay-limit');
  const hasMoreTime = vmTimeoutMs > (before.vmTimeoutMs ?? vmTimeoutMs);
  if (hasMoreTime)
    await queueTokens(store, sql`select token_id from token where failure_code = 'vm-timeout' and token_number = ''`);
  await writeInfo(store, { maxCalls, vmTimeoutMs });
  return hasMoreTime;
}

/** Queues the tokens whose values depend on the height at which their getters are called. */
export async function queueHeightDependent(store: StoreWriter): Promise<void> {
  await queueUnproven(store, 'height-not-known');
}

async function queueUnproven(store: StoreWriter, code: FailureCode): Promise<void> {
  await queueTokens(
    store,
    sql`select main.token_id from reading join token using (token_id)
      join token as main on main.deploy_id = token.deploy_id and main.token_number = ''
      where reading.failure_code = ${code} and reading.source = 'vm'`,
  );
}

/**
 * Queues tokens whose last evaluation timed out, crashed or left out diverged calls. An empty list means all contracts.
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
