// Queries about tokens: their state and on-chain values.
import type { Failure, FailureCode } from '#model/failure.ts';
import {
  type Evaluation,
  FUNGIBLE_TOKEN_NUMBER,
  type GetterFailure,
  type OnChainValues,
  type TokenState,
} from '#model/token.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';
import type { TokenTable } from './schema.ts';

export interface Token {
  readonly tokenId: number;
  readonly deployId: number;
  readonly tokenNumber: string;
  readonly state: TokenState;
  /** Whether its on-chain values were read: never twice. */
  readonly isRead: boolean;
  readonly values: OnChainValues;
  /** Asset identifiers whose minted-minus-burned sum is the supply; undefined where `values.totalSupply` is. */
  readonly supplyAssets: readonly string[] | undefined;
  readonly valuePartial: boolean;
  readonly getterFailures: readonly GetterFailure[];
  readonly failure: { readonly code: FailureCode; readonly message: string } | undefined;
}

/** Adds a queued token for each deploy that has none. */
export async function insertTokens(store: StoreWriter, deployIds: readonly number[]): Promise<void> {
  for (const run of inRuns(deployIds, 3)) {
    const rows = run.map((deployId) => ({
      deploy_id: deployId,
      token_number: FUNGIBLE_TOKEN_NUMBER,
      state: 'queued',
      value_partial: 0,
    }));
    await store
      .insertInto('token')
      .values(rows as unknown as TokenTable[])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function readTokens(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, Token>> {
  const tokens = new Map<number, Token>();
  for (const run of inRuns(deployIds)) {
    const rows = await store.selectFrom('token').selectAll().where('deploy_id', 'in', run).execute();
    for (const row of rows) tokens.set(row.deploy_id, toToken(row));
  }
  return tokens;
}

export async function readToken(store: StoreReader, tokenId: number): Promise<Token | undefined> {
  const row = await store.selectFrom('token').selectAll().where('token_id', '=', tokenId).executeTakeFirst();
  return row === undefined ? undefined : toToken(row);
}

/** Stores what an evaluation gave. The state is the caller's to decide. */
export async function writeEvaluation(
  store: StoreWriter,
  tokenId: number,
  evaluation: Evaluation,
  supplyAssets: readonly string[] | undefined,
): Promise<void> {
  const { values } = evaluation;
  await store
    .updateTable('token')
    .set({
      name: values.name ?? null,
      symbol: values.symbol ?? null,
      decimals: values.decimals ?? null,
      total_supply: values.totalSupply ?? null,
      token_uri: values.tokenUri ?? null,
      value_source: 'vm',
      value_partial: Number(evaluation.partial),
      supply_assets: supplyAssets === undefined ? null : JSON.stringify(supplyAssets),
      getter_failures: JSON.stringify(evaluation.failures),
    })
    .where('token_id', '=', tokenId)
    .execute();
}

export async function writeState(
  store: StoreWriter,
  tokenId: number,
  state: TokenState,
  failure?: Failure,
): Promise<void> {
  await store
    .updateTable('token')
    .set({ state, failure_code: failure?.failure ?? null, failure_message: failure?.message ?? null })
    .where('token_id', '=', tokenId)
    .execute();
}

/** How many of the served SIP-010 tokens are in each state. */
export async function countTokenStates(store: StoreReader): Promise<Record<TokenState, number>> {
  const rows = await store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1)
    .select((eb) => ['token.state', eb.fn.countAll<number>().as('count')])
    .groupBy('token.state')
    .execute();
  const counts = new Map(rows.map((row) => [row.state, row.count]));
  const of = (state: TokenState) => counts.get(state) ?? 0;
  return { queued: of('queued'), complete: of('complete'), partial: of('partial'), error: of('error') };
}

/** Failures of tokens, getters and documents, counted by code. */
export async function countTokenFailures(store: StoreReader): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const add = (code: string | null, count: number) => {
    if (code !== null) counts[code] = (counts[code] ?? 0) + count;
  };
  const tokens = await store
    .selectFrom('token')
    .select((eb) => ['failure_code', 'getter_failures', eb.fn.countAll<number>().as('count')])
    .groupBy(['failure_code', 'getter_failures'])
    .execute();
  for (const row of tokens) {
    add(row.failure_code, row.count);
    for (const failure of parseFailures(row.getter_failures)) add(failure.code, row.count);
  }
  const documents = await store
    .selectFrom('document')
    .select((eb) => ['failure_code', eb.fn.countAll<number>().as('count')])
    .where('failure_code', 'is not', null)
    .groupBy('failure_code')
    .execute();
  for (const row of documents) add(row.failure_code, row.count);
  return Object.fromEntries(Object.entries(counts).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function toToken(row: TokenTable): Token {
  return {
    tokenId: row.token_id,
    deployId: row.deploy_id,
    tokenNumber: row.token_number,
    state: row.state as TokenState,
    isRead: row.value_source !== null,
    values: {
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.symbol === null ? {} : { symbol: row.symbol }),
      ...(row.decimals === null ? {} : { decimals: row.decimals }),
      ...(row.total_supply === null ? {} : { totalSupply: row.total_supply }),
      ...(row.token_uri === null ? {} : { tokenUri: row.token_uri }),
    },
    supplyAssets: row.supply_assets === null ? undefined : (JSON.parse(row.supply_assets) as string[]),
    valuePartial: row.value_partial === 1,
    getterFailures: parseFailures(row.getter_failures),
    failure:
      row.failure_code === null
        ? undefined
        : { code: row.failure_code as FailureCode, message: row.failure_message ?? '' },
  };
}

/** Failures of getters as they are stored. */
export function parseFailures(json: string | null): GetterFailure[] {
  return json === null ? [] : (JSON.parse(json) as GetterFailure[]);
}

/** Keeps what a SIP-019 notification says about the served token of a contract; returns the token's id if there is one. */
export async function writeUpdateMode(
  store: StoreWriter,
  contractId: string,
  updateMode: string,
  ttlSeconds: number | undefined,
): Promise<number | undefined> {
  const row = await store
    .updateTable('token')
    .set({ update_mode: updateMode, ttl_seconds: ttlSeconds ?? null })
    .where('deploy_id', 'in', (eb) =>
      eb.selectFrom('contract').select('deploy_id').where('contract_id', '=', contractId),
    )
    .returning('token_id')
    .executeTakeFirst();
  return row?.token_id;
}
