// Queries about tokens: their states, their values, and the time when the values were read.

import { type SqlBool, sql } from 'kysely';
import type { Reason } from '#model/failure.ts';
import {
  gettersOf,
  NO_NUMBER,
  type OnChainValues,
  type Reading,
  type TokenStandard,
  type TokenState,
  valuesOf,
} from '#model/token.ts';
import { readStoredJson } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import { failureColumns } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { type StoredToken, toStoredToken } from './collections.ts';
import { readReadings } from './readings.ts';

export interface Token extends StoredToken {
  readonly deployId: number;
  readonly standard: TokenStandard | undefined;
  readonly values: OnChainValues;
  /** The best reading of each getter, in order. A token of a collection includes the collection's shared readings. */
  readonly readings: readonly Reading[];
  /** The assets whose minted minus burned amounts add up to the supply, unless a node or a list provides the supply. */
  readonly supplyAssets: readonly string[] | undefined;
}

/** Adds a queued token or collection for each deploy that lacks one. */
export async function insertTokens(
  store: StoreWriter,
  contracts: readonly { readonly deployId: number }[],
): Promise<void> {
  const rows = contracts.map(({ deployId }) => {
    return { deploy_id: deployId, token_number: NO_NUMBER, state: 'queued' as const };
  });
  await insertRows(store, 'token', rows, (conflict) => conflict.doNothing());
}

/** Reads fungible tokens and collections, by deploy id. */
export async function readTokens(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, Token>> {
  const rows = await tokenRows(store)
    .where('token.deploy_id', 'in', listed(deployIds))
    .where('token_number', '=', NO_NUMBER)
    .execute();
  return new Map((await toTokens(store, rows)).map((token) => [token.deployId, token]));
}

export async function readToken(store: StoreReader, tokenId: number): Promise<Token | undefined> {
  return (await readTokensById(store, [tokenId]))[0];
}

/**
 * Reads the contract id and the number of a token, which are the same in every index. The number is empty for a
 * fungible token or a collection.
 */
export function readTokenKey(store: StoreReader, tokenId: number) {
  const tokens = store.selectFrom('token').innerJoin('deploy', 'deploy.deploy_id', 'token.deploy_id');
  const key = tokens.select(['deploy.contract_id as contractId', 'token.token_number as tokenNumber']);
  return key.where('token.token_id', '=', tokenId).executeTakeFirst();
}

export async function readTokensById(store: StoreReader, tokenIds: readonly number[]): Promise<Token[]> {
  const rows = await tokenRows(store).where('token_id', 'in', listed(tokenIds)).execute();
  return toTokens(store, rows);
}

function tokenRows(store: StoreReader) {
  return store
    .selectFrom('token')
    .innerJoin('deploy', 'deploy.deploy_id', 'token.deploy_id')
    .selectAll('token')
    .select('deploy.standard');
}

type TokenRow = Awaited<ReturnType<ReturnType<typeof tokenRows>['execute']>>[number];

async function toTokens(store: StoreReader, rows: readonly TokenRow[]): Promise<Token[]> {
  const collections = await readCollectionsOf(store, rows);
  const tokenIds = rows.map((row) => row.token_id);
  const readings = await readReadings(store, [...tokenIds, ...new Set(collections.values())]);
  return rows.map((row) => {
    const tokenReadings = readings.get(row.token_id) ?? [];
    const all = withShared(tokenReadings, readings.get(collections.get(row.deploy_id) ?? Number.NaN) ?? []);
    return {
      ...toStoredToken(row),
      deployId: row.deploy_id,
      standard: row.standard ?? undefined,
      values: valuesOf(all),
      readings: all,
      supplyAssets:
        row.supply_assets === null ? undefined : readStoredJson<string[]>(row.supply_assets, 'a list of assets'),
    };
  });
}

/** Adds readings to a page of a collection's tokens. Queries the store only if readings of the tokens may differ. */
export async function readNumberedTokens(store: StoreReader, collection: Token, page: readonly StoredToken[]) {
  const { deployId, standard, readings: shared } = collection;
  const tokenIds = sharesAll(collection) ? [] : page.map(({ tokenId }) => tokenId);
  const readings = await readReadings(store, tokenIds);
  const common = { deployId, standard, supplyAssets: undefined, readings: shared, values: valuesOf(shared) };
  return page.map((token) => {
    const tokenReadings = readings.get(token.tokenId);
    if (tokenReadings === undefined) return { ...token, ...common };
    const all = withShared(tokenReadings, shared);
    return { ...token, ...common, readings: all, values: valuesOf(all) };
  });
}

/** True if every getter of a collection has a reading that all its tokens share. */
export function sharesAll({ standard, readings }: Pick<Token, 'standard' | 'readings'>): boolean {
  return gettersOf(standard).every((getter) => readings.some((reading) => reading.getter === getter));
}

function withShared(readings: readonly Reading[], shared: readonly Reading[]): Reading[] {
  return [...readings, ...shared.filter(({ getter }) => !readings.some((reading) => reading.getter === getter))];
}

async function readCollectionsOf(store: StoreReader, rows: readonly TokenRow[]): Promise<Map<number, number>> {
  const deployIds = new Set(rows.flatMap((row) => (row.token_number === NO_NUMBER ? [] : [row.deploy_id])));
  const collections = store.selectFrom('token').select(['token_id', 'deploy_id']).where('token_number', '=', NO_NUMBER);
  const found = await collections.where('deploy_id', 'in', listed([...deployIds])).execute();
  return new Map(found.map((row) => [row.deploy_id, row.token_id]));
}

export async function writeSupplyAssets(store: StoreWriter, tokenId: number, assets: readonly string[] | undefined) {
  const row = { supply_assets: assets === undefined ? null : JSON.stringify(assets) };
  await store.updateTable('token').set(row).where('token_id', '=', tokenId).execute();
}

export async function writeState(store: StoreWriter, tokenIds: readonly number[], state: TokenState, failure?: Reason) {
  const row = { state, ...failureColumns(failure) };
  await store.updateTable('token').set(row).where('token_id', 'in', listed(tokenIds)).execute();
}

/** Stores the current time as the time when tokens were read. Skips tokens with getters that are still queued. */
export async function markValuesRead(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  await store
    .updateTable('token')
    .set({ values_read_at: Date.now() })
    .where('token_id', 'in', listed(tokenIds))
    .where(hasNoValueJob('token.token_id'))
    .execute();
}

/** Reads the tokens of these contracts whose values came from a node or a token list. */
export function readTokensOfContracts(store: StoreReader, contractIds: readonly string[]): Promise<ServedToken[]> {
  const tokens = servedTokens(store).where('contract_id', 'in', listed(contractIds));
  return tokens.where('values_read_at', 'is not', null).execute();
}

/** Reads served tokens whose values have not been read from a node or a token list yet. */
export function unreadTokens(store: StoreReader): Promise<ServedToken[]> {
  return servedTokens(store)
    .where('values_read_at', 'is', null)
    .where(hasNoValueJob('served_token.token_id'))
    .execute();
}

/** Reads served tokens whose values were read before a time, in ms since the epoch, or while the clock was ahead. */
export function readTokensBefore(store: StoreReader, before: number, now: number): Promise<ServedToken[]> {
  const tokens = servedTokens(store);
  return tokens.where((eb) => eb.or([eb('values_read_at', '<=', before), eb('values_read_at', '>', now)])).execute();
}

export type ServedToken = Awaited<ReturnType<ReturnType<typeof servedTokens>['executeTakeFirstOrThrow']>>;

function servedTokens(store: StoreReader) {
  const tokens = store.selectFrom('served_token').select(['token_id as tokenId', 'deploy_id as deployId']);
  return tokens.select(['contract_id as contractId', 'standard']);
}

function hasNoValueJob(token: 'token.token_id' | 'served_token.token_id') {
  return sql<SqlBool>`not exists (select 1 from job where kind = 'read-values' and job.token_id = ${sql.ref(token)})`;
}
