// Queries about tokens: their states, and what concerns all their values.
import { type SqlBool, sql } from 'kysely';
import type { Reason } from '#model/failure.ts';
import { FUNGIBLE_TOKEN_NUMBER, type OnChainValues, type Reading, type TokenState, valuesOf } from '#model/token.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';
import { readReadings } from './readings.ts';
import { failureColumns, storedFailure } from './stored-failure.ts';
import { readStoredJson } from './stored-json.ts';

export interface Token {
  readonly tokenId: number;
  readonly deployId: number;
  readonly tokenNumber: string;
  readonly state: TokenState;
  readonly values: OnChainValues;
  /** The best reading of each getter, in the order of the answer. */
  readonly readings: readonly Reading[];
  /** Assets whose minted-minus-burned sum is the supply, unless a node or a token list gives one. */
  readonly supplyAssets: readonly string[] | undefined;
  readonly failure: Reason | undefined;
}

export type TokenKey = Pick<Token, 'tokenId' | 'deployId'>;

/** Adds a queued token for each deploy that has none. */
export async function insertTokens(store: StoreWriter, deployIds: readonly number[]): Promise<void> {
  for (const run of inRuns(deployIds, 3)) {
    await store
      .insertInto('token')
      .values(run.map((deployId) => ({ deploy_id: deployId, token_number: FUNGIBLE_TOKEN_NUMBER, state: 'queued' })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** By deploy id. */
export async function readTokens(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, Token>> {
  const tokens = await readTokensWhere(store, 'deploy_id', deployIds);
  return new Map(tokens.map((token) => [token.deployId, token]));
}

export async function readToken(store: StoreReader, tokenId: number): Promise<Token | undefined> {
  return (await readTokensById(store, [tokenId]))[0];
}

export function readTokensById(store: StoreReader, tokenIds: readonly number[]): Promise<Token[]> {
  return readTokensWhere(store, 'token_id', tokenIds);
}

async function readTokensWhere(
  store: StoreReader,
  column: 'deploy_id' | 'token_id',
  ids: readonly number[],
): Promise<Token[]> {
  const rows = await readInRuns(ids, (run) => store.selectFrom('token').selectAll().where(column, 'in', run).execute());
  const tokenIds = rows.map((row) => row.token_id);
  const readings = await readReadings(store, tokenIds);
  return rows.map((row) => {
    const own = readings.get(row.token_id) ?? [];
    return {
      tokenId: row.token_id,
      deployId: row.deploy_id,
      tokenNumber: row.token_number,
      state: row.state,
      values: valuesOf(own),
      readings: own,
      supplyAssets:
        row.supply_assets === null ? undefined : readStoredJson<string[]>(row.supply_assets, 'a list of assets'),
      failure: storedFailure(row),
    };
  });
}

/** Bytes of the values, documents and code of each token, which are large where someone is hostile. */
export async function measureTokens(
  store: StoreReader,
  column: 'deploy_id' | 'token_id',
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await readInRuns(ids, (run) =>
    store
      .selectFrom('token')
      .select([
        `${column} as id`,
        sql<number>`(select total(octet_length(value)) from reading where reading.token_id = token.token_id)
          + (select total(octet_length(document)) from document where document.token_id = token.token_id)
          + (select total(octet_length(code)) from deploy_code where deploy_code.deploy_id = token.deploy_id)`.as(
          'bytes',
        ),
      ])
      .where(column, 'in', run)
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, row.bytes]));
}

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
      .set({ state, ...failureColumns(failure) })
      .where('token_id', 'in', run)
      .execute();
  }
}

/** Stores when tokens were read, in ms since the epoch, unless they have getters left to read. */
export async function markValuesRead(store: StoreWriter, tokenIds: readonly number[], readAt: number): Promise<void> {
  for (const run of inRuns(tokenIds)) {
    await store
      .updateTable('token')
      .set({ values_read_at: readAt })
      .where('token_id', 'in', run)
      .where(hasNoValueJob('token.token_id'))
      .execute();
  }
}

/** The tokens of these contracts whose values came from a node or a token list. */
export function readTokensOfContracts(store: StoreReader, contractIds: readonly string[]): Promise<TokenKey[]> {
  return readInRuns(contractIds, (run) =>
    servedTokens(store).where('contract_id', 'in', run).where('values_read_at', 'is not', null).execute(),
  );
}

/** Served tokens whose values no node or token list has given yet. */
export function unreadTokens(store: StoreReader): Promise<TokenKey[]> {
  return servedTokens(store)
    .where('values_read_at', 'is', null)
    .where(hasNoValueJob('served_token.token_id'))
    .execute();
}

/** Served tokens whose values were read before a time, in ms since the epoch. */
export function readTokensBefore(store: StoreReader, before: number): Promise<TokenKey[]> {
  return servedTokens(store).where('values_read_at', '<=', before).execute();
}

function servedTokens(store: StoreReader) {
  return store.selectFrom('served_token').select(['token_id as tokenId', 'deploy_id as deployId']);
}

function hasNoValueJob(token: 'token.token_id' | 'served_token.token_id') {
  return sql<SqlBool>`not exists (select 1 from job where kind = 'read-values' and job.token_id = ${sql.ref(token)})`;
}
