// Queries about tokens: their state, and what holds for all their values.
import type { ExpressionBuilder } from 'kysely';
import type { Reason } from '#model/failure.ts';
import { FUNGIBLE_TOKEN_NUMBER, type OnChainValues, type Reading, type TokenState, valuesOf } from '#model/token.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns } from './lists.ts';
import { readReadings } from './readings.ts';
import type { Schema, TokenTable } from './schema.ts';
import { storedFailure } from './stored-failure.ts';
import { readStoredJson } from './stored-json.ts';

export interface Token {
  readonly tokenId: number;
  readonly deployId: number;
  readonly tokenNumber: string;
  readonly state: TokenState;
  readonly values: OnChainValues;
  /** The best reading of each getter that there is, in the order of the answer. */
  readonly readings: readonly Reading[];
  /** Asset identifiers whose minted-minus-burned sum is the supply, unless something better than the VM told it. */
  readonly supplyAssets: readonly string[] | undefined;
  readonly failure: Reason | undefined;
}

/** Adds a queued token for each deploy that has none. */
export async function insertTokens(store: StoreWriter, deployIds: readonly number[]): Promise<void> {
  for (const run of inRuns(deployIds, 3)) {
    const rows = run.map((deployId) => ({
      deploy_id: deployId,
      token_number: FUNGIBLE_TOKEN_NUMBER,
      state: 'queued',
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
    for (const token of await withReadings(store, rows)) tokens.set(token.deployId, token);
  }
  return tokens;
}

export async function readToken(store: StoreReader, tokenId: number): Promise<Token | undefined> {
  return (await readTokensById(store, [tokenId]))[0];
}

export async function readTokensById(store: StoreReader, tokenIds: readonly number[]): Promise<Token[]> {
  const tokens: Token[] = [];
  for (const run of inRuns(tokenIds)) {
    const rows = await store.selectFrom('token').selectAll().where('token_id', 'in', run).execute();
    tokens.push(...(await withReadings(store, rows)));
  }
  return tokens;
}

/** Stores the assets whose sum is a token's supply. */
export async function writeSupplyAssets(
  store: StoreWriter,
  tokenId: number,
  supplyAssets: readonly string[] | undefined,
): Promise<void> {
  await store
    .updateTable('token')
    .set({ supply_assets: supplyAssets === undefined ? null : JSON.stringify(supplyAssets) })
    .where('token_id', '=', tokenId)
    .execute();
}

export async function writeState(
  store: StoreWriter,
  tokenIds: readonly number[],
  state: TokenState,
  failure?: Reason,
): Promise<void> {
  for (const run of inRuns(tokenIds)) {
    await store
      .updateTable('token')
      .set({ state, failure_code: failure?.code ?? null, failure_message: failure?.message ?? null })
      .where('token_id', 'in', run)
      .execute();
  }
}

/** How many of the served SIP-010 tokens are in each state. */
export async function countTokenStates(store: StoreReader): Promise<Record<TokenState, number>> {
  const rows = await store
    .selectFrom('token')
    // In this order, which SQLite keeps in a cross join: there are fewer tokens than contracts.
    .crossJoin('contract')
    .whereRef('contract.deploy_id', '=', 'token.deploy_id')
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
  for (const table of ['token', 'reading'] as const) {
    const rows = await store
      .selectFrom(table)
      .select((eb) => ['failure_code', eb.fn.countAll<number>().as('count')])
      .where('failure_code', 'is not', null)
      .groupBy('failure_code')
      .execute();
    for (const row of rows) add(row.failure_code, row.count);
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

async function withReadings(store: StoreReader, rows: readonly TokenTable[]): Promise<Token[]> {
  const readings = await readReadings(
    store,
    rows.map((row) => row.token_id),
  );
  return rows.map((row) => {
    const own = readings.get(row.token_id) ?? [];
    return {
      tokenId: row.token_id,
      deployId: row.deploy_id,
      tokenNumber: row.token_number,
      state: row.state as TokenState,
      values: valuesOf(own),
      readings: own,
      supplyAssets:
        row.supply_assets === null ? undefined : readStoredJson<string[]>(row.supply_assets, 'a list of assets'),
      failure: storedFailure(row),
    };
  });
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

/** Notes of tokens, of which no getter is left to be read from a node, when that was, in ms since the epoch. */
export async function markValuesRead(store: StoreWriter, tokenIds: readonly number[], readAt: number): Promise<void> {
  for (const run of inRuns(tokenIds)) {
    await store
      .updateTable('token')
      .set({ values_read_at: readAt })
      .where('token_id', 'in', run)
      .where(hasNoValueJob)
      .execute();
  }
}

/** Those of the tokens whose values a node or a token list told. */
export async function tokensReadAmong(store: StoreReader, tokenIds: readonly number[]): Promise<TokenKey[]> {
  const read: TokenKey[] = [];
  for (const run of inRuns(tokenIds)) {
    const rows = await servedTokens(store)
      .where('token.token_id', 'in', run)
      .where('token.values_read_at', 'is not', null)
      .execute();
    read.push(...toKeys(rows));
  }
  return read;
}

/** Served tokens of which no node or token list told the values yet. */
export async function unreadTokens(store: StoreReader): Promise<TokenKey[]> {
  return toKeys(await servedTokens(store).where('token.values_read_at', 'is', null).where(hasNoValueJob).execute());
}

/** Served tokens whose values were read before a time (ms since the epoch); all that were read without one. */
export async function readTokensBefore(store: StoreReader, before: number): Promise<TokenKey[]> {
  return toKeys(await servedTokens(store).where('token.values_read_at', '<=', before).execute());
}

export type TokenKey = Pick<Token, 'tokenId' | 'deployId'>;

function servedTokens(store: StoreReader) {
  return store
    .selectFrom('contract')
    .innerJoin('token', 'token.deploy_id', 'contract.deploy_id')
    .select(['token.token_id', 'token.deploy_id'])
    .where('contract.canonical', '=', 1)
    .where('contract.confirmed', '=', 1);
}

function hasNoValueJob(eb: ExpressionBuilder<Schema, 'token'>) {
  return eb.not(
    eb.exists(
      eb
        .selectFrom('job')
        .select('job_id')
        .whereRef('job.token_id', '=', 'token.token_id')
        .where('job.kind', '=', 'read-values'),
    ),
  );
}

function toKeys(rows: readonly { token_id: number; deploy_id: number }[]): TokenKey[] {
  return rows.map((row) => ({ tokenId: row.token_id, deployId: row.deploy_id }));
}
