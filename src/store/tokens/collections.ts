// Queries about collections and their tokens, which come from blocks, nodes and APIs.

import { CompiledQuery, type Selectable, type SqlBool, sql } from 'kysely';
import type { TokenEvent } from '#model/chain-event.ts';
import type { Reason } from '#model/failure.ts';
import { isCollectionStandard, NO_NUMBER, type TokenState } from '#model/token.ts';
import { toFlag } from '#sqlite/columns.ts';
import { inPages, rowsWith, runsOf } from '#sqlite/lists.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';
import { updateMinted } from '../schema/tokens.ts';

type NewTokenEvent = Pick<TokenEvent, 'tokenNumber' | 'minted' | 'burned'> & { deployId: number; blockId: number };

/** Reads deploys on all forks of contracts that are collections. */
export async function readCollectionDeploys(store: StoreReader, contractIds: readonly string[]) {
  const rows = await rowsWith(store, 'deploy', 'contract_id', contractIds);
  return rows.flatMap(({ contract_id: contractId, deploy_id: deployId, standard }) =>
    isCollectionStandard(standard) ? [{ contractId, deployId, standard }] : [],
  );
}

/** The first sort key of token ids: their length. Ids have no leading zeros, so a longer id is larger. */
export const IN_ORDER = sql<number>`length(token_number)`;

/** The maximum number of rows per statement. The rows are passed as JSON. */
const RUN_ROWS = 5_000;

/** Stores events and adds new tokens, at most `maxTokens` per collection. Returns the deploys that got new tokens. */
export async function insertTokenEvents(store: StoreWriter, events: readonly NewTokenEvent[], maxTokens: number) {
  const grown = new Set<number>();
  for (const [deployId, deployEvents] of Map.groupBy(events, (event) => event.deployId)) {
    for (const run of runsOf(deployEvents, RUN_ROWS)) {
      const numbers = run.map(({ tokenNumber }) => tokenNumber);
      const minted = new Set(run.filter(({ minted }) => minted).map(({ tokenNumber }) => tokenNumber));
      if ((await insertNumbers(store, deployId, numbers, maxTokens, minted)) > 0) grown.add(deployId);
      const rows = JSON.stringify(
        run.map((event) => [event.tokenNumber, event.blockId, toFlag(event.minted), toFlag(event.burned)]),
      );
      const stored = await sql<{ token_id: number }>`insert into token_event (token_id, block_id, minted, burned)
        select token.token_id, event.value ->> 1, event.value ->> 2, event.value ->> 3
        from json_each(${rows}) as event
        cross join token on token.deploy_id = ${deployId} and token.token_number = event.value ->> 0
        where true on conflict do nothing returning token_id`.execute(store);
      const tokenIds = JSON.stringify(stored.rows.map((row) => row.token_id));
      await store.executeQuery(CompiledQuery.raw(updateMinted('select value from json_each(?)'), [tokenIds]));
    }
  }
  return grown;
}

/**
 * Adds tokens that are not stored yet, in order, up to the limit. Returns the number of added tokens. Tokens beyond the
 * limit are counted as left out if they are in `minted`. Without `minted`, the tokens are a complete list, and the
 * larger count of left-out tokens stays.
 */
export async function insertNumbers(
  store: StoreWriter,
  deployId: number,
  tokenNumbers: readonly string[],
  maxTokens: number,
  minted?: ReadonlySet<string>,
): Promise<number> {
  const { rows } = await sql<{ number: string }>`select value as number from json_each(${JSON.stringify(tokenNumbers)})
    where not exists (select 1 from token where deploy_id = ${deployId} and token_number = value)
    group by value order by min(key)`.execute(store);
  if (rows.length === 0) return 0;
  const [before] = await rowsWith(store, 'collection', 'deploy_id', [deployId]);
  const added = rows.splice(0, Math.max(0, maxTokens - (before?.tokens ?? 0))).map((row) => row.number);
  const leftOut = before?.left_out ?? 0;
  const leftOutNow = minted
    ? leftOut + rows.filter(({ number }) => minted.has(number)).length
    : Math.max(leftOut, rows.length);
  await sql`insert into collection (deploy_id, tokens, minted, left_out)
    values (${deployId}, ${added.length}, ${added.length}, ${leftOutNow})
    on conflict do update set tokens = tokens + excluded.tokens, minted = minted + excluded.minted,
      left_out = excluded.left_out`.execute(store);
  await sql`insert into token (deploy_id, token_number, state)
    select ${deployId}, value, 'queued' from json_each(${JSON.stringify(added)})`.execute(store);
  return added.length;
}

export async function readNumbers(store: StoreReader, deployId: number): Promise<string[]> {
  const numbers: string[] = [];
  for await (const page of tokensInOrder(store, deployId))
    for (const { tokenNumber } of page) numbers.push(tokenNumber);
  return numbers;
}

export async function numberedAmong(store: StoreReader, tokenIds: readonly number[]): Promise<Set<number>> {
  const rows = await rowsWith(store, 'token', 'token_id', tokenIds);
  return new Set(rows.flatMap((row) => (row.token_number === NO_NUMBER ? [] : [row.token_id])));
}

export async function writeStateOfAll(store: StoreWriter, deployId: number, state: TokenState, failure?: Reason) {
  const tokens = store.updateTable('token').where('deploy_id', '=', deployId).where('token_number', '<>', NO_NUMBER);
  await tokens.set({ state, ...failureColumns(failure) }).execute();
}

export async function queuedTokensOf(store: StoreReader, deployId: number): Promise<number[]> {
  const rows = await store
    .selectFrom('token')
    .select('token_id')
    .where('deploy_id', '=', deployId)
    // The condition is written exactly as in the partial index, so that SQLite can choose that index when it prepares
    // the statement.
    .where(sql<boolean>`state = 'queued' and token_number <> ''`)
    .execute();
  return rows.map((row) => row.token_id);
}

/** True if any token of a collection has a document, or a reason why it is missing. */
export async function hasDocuments(store: StoreReader, deployId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from token join document using (token_id) where deploy_id = ${deployId} limit 1`.execute(store);
  return rows.length > 0;
}

const PAGE_ROWS = 500;

export interface StoredToken {
  readonly tokenId: number;
  /** Decimal token id; empty for a fungible token and a collection. */
  readonly tokenNumber: string;
  /** False for a token of a collection that only orphaned blocks minted. */
  readonly isMinted: boolean;
  readonly isBurned: boolean;
  readonly state: TokenState;
  readonly failure: Reason | undefined;
}

/** Yields pages of the stored tokens of a collection, minted on any fork, in the order of their ids. */
export async function* tokensInOrder(store: StoreReader, deployId: number): AsyncGenerator<StoredToken[]> {
  const pages = inPages(
    (after) =>
      store
        .selectFrom('token')
        .select(['token_id', 'token_number', 'minted', 'burned', 'state', 'failure_code', 'failure_message'])
        .where('deploy_id', '=', deployId)
        .where(sql<SqlBool>`(length(token_number), token_number) > (length(${after}), ${after})`)
        .orderBy(IN_ORDER)
        .orderBy('token_number')
        .limit(PAGE_ROWS)
        .execute(),
    (row) => row.token_number,
    NO_NUMBER,
  );
  for await (const rows of pages) yield rows.map(toStoredToken);
}

type TokenRow = Omit<Selectable<Schema['token']>, 'deploy_id' | 'supply_assets' | 'values_read_at'>;

export function toStoredToken(row: TokenRow): StoredToken {
  return {
    tokenId: row.token_id,
    tokenNumber: row.token_number,
    isMinted: row.minted === 1,
    isBurned: row.burned === 1,
    state: row.state,
    failure: storedFailure(row),
  };
}
