// Counts the tokens of collections, says what they lack, and finds the first ones.

import { sql } from 'kysely';
import type { FailureCode, Reason } from '#model/failure.ts';
import { COLLECTION_STANDARDS, type CollectionStandard, NO_NUMBER, type TokenState } from '#model/token.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { IN_ORDER } from './collections.ts';

export interface CollectionCounts {
  /** Tokens with numbers on the canonical chain. */
  readonly minted: number;
  /** On all forks. */
  readonly stored: number;
  /** How many more there would be but for the limit. */
  readonly leftOut: number;
}

export const NO_TOKENS: CollectionCounts = { minted: 0, stored: 0, leftOut: 0 };

/** By deploy id; of those without tokens there is nothing. */
export async function countTokensOf(
  store: StoreReader,
  deployIds: readonly number[],
): Promise<Map<number, CollectionCounts>> {
  const rows = await store.selectFrom('collection').selectAll().where('deploy_id', 'in', listed(deployIds)).execute();
  return new Map(rows.map((row) => [row.deploy_id, { minted: row.minted, stored: row.tokens, leftOut: row.left_out }]));
}

/** How many tokens of served collections there are, by standard. */
export async function countNumberedTokens(store: StoreReader): Promise<Record<CollectionStandard, number>> {
  const rows = await store
    .selectFrom('collection')
    .innerJoin('served_token', 'served_token.deploy_id', 'collection.deploy_id')
    .select((eb) => ['standard', eb.fn.sum<number>('collection.minted').as('count')])
    .groupBy('standard')
    .execute();
  const of = (standard: CollectionStandard) => rows.find((row) => row.standard === standard)?.count ?? 0;
  return { 'sip-009': of('sip-009'), 'sip-013': of('sip-013') };
}

/** The same of each collection that is served. */
export async function countTokensOfAll(store: StoreReader): Promise<CollectionCounts[]> {
  const rows = await store
    .selectFrom('served_token')
    .leftJoin('collection', 'collection.deploy_id', 'served_token.deploy_id')
    .select(['collection.minted', 'collection.tokens as stored', 'collection.left_out as leftOut'])
    .where('standard', 'in', COLLECTION_STANDARDS)
    .execute();
  return rows.map(({ minted, stored, leftOut }) => ({
    minted: minted ?? 0,
    stored: stored ?? 0,
    leftOut: leftOut ?? 0,
  }));
}

/** A token of a collection that lacks something, and why. */
export interface TokenException {
  readonly tokenNumber: string;
  readonly reason: Reason;
}

export interface CollectionStates {
  readonly byState: Readonly<Record<TokenState, number>>;
  readonly byFailure: Readonly<Record<string, number>>;
  readonly burned: number;
  /** The first ones, by number. */
  readonly burnedNumbers: readonly string[];
  readonly exceptions: readonly TokenException[];
}

/** What there is to say of the tokens of a collection; `most`: exceptions, and burned tokens, that are named. */
export async function readCollectionStates(
  store: StoreReader,
  deployId: number,
  most: number,
): Promise<CollectionStates> {
  const tokens = store
    .selectFrom('token')
    .where('deploy_id', '=', deployId)
    .where('token_number', '<>', NO_NUMBER)
    .where('minted', '=', 1);
  const states = await tokens
    .select((eb) => ['state', 'burned', eb.fn.countAll<number>().as('count')])
    .groupBy(['state', 'burned'])
    .execute();
  const inState = (state: TokenState) => sumOf(states.filter((row) => row.state === state));
  const burned = await tokens
    .select('token_number')
    .where('burned', '=', 1)
    .orderBy(IN_ORDER)
    .orderBy('token_number')
    .limit(most)
    .execute();
  const failures = sql`(${sql.join(
    ['reading', 'token', 'document'].map(
      (table, rank) => sql`select token.token_number, failed.failure_code as code, failed.failure_message as message,
        ${sql.lit(rank)} as rank
        from token join ${sql.table(table)} as failed on failed.token_id = token.token_id
        where token.deploy_id = ${deployId} and token.token_number <> '' and token.minted = 1
        and failed.failure_code is not null`,
    ),
    sql` union all `,
  )})`;
  const counts = await sql<{ code: FailureCode; count: number }>`
    select code, count(*) as count from ${failures} group by code order by code`.execute(store);
  // What was not asked for has not failed, so nothing is stored about it.
  const without = await sql<{ code: FailureCode; count: number }>`
    select case when coalesce(own.value, shared.value) is null then ${sql.lit('no-uri' satisfies FailureCode)}
      else ${sql.lit('document-not-fetched' satisfies FailureCode)} end as code, count(*) as count
    from token
    left join reading as own on own.token_id = token.token_id and own.getter = 'get-token-uri'
    left join reading as shared on shared.getter = 'get-token-uri' and shared.token_id =
      (select token_id from token where deploy_id = ${deployId} and token_number = '')
    where token.deploy_id = ${deployId} and token.token_number <> '' and token.minted = 1
    and token.state = 'partial' and token.failure_code is null
    and (coalesce(own.value, shared.value) is not null or coalesce(own.failure_code, shared.failure_code) is null)
    and not exists (select 1 from document where document.token_id = token.token_id)
    group by code`.execute(store);
  // Of several reasons, the first: why a value could not be read, or may be another.
  const named = await sql<{ token_number: string; code: FailureCode; message: string }>`
    select token_number, code, message, min(rank) from ${failures} group by token_number
    order by length(token_number), token_number limit ${most}`.execute(store);
  return {
    byState: {
      complete: inState('complete'),
      partial: inState('partial'),
      queued: inState('queued'),
      error: inState('error'),
    },
    byFailure: addUp([...counts.rows, ...without.rows]),
    burned: sumOf(states.filter((row) => row.burned === 1)),
    burnedNumbers: burned.map((row) => row.token_number),
    exceptions: named.rows.map(({ token_number: tokenNumber, code, message }) => ({
      tokenNumber,
      reason: { code, message },
    })),
  };
}

/** In the order of the codes. */
function addUp(counts: readonly { readonly code: FailureCode; readonly count: number }[]): Record<string, number> {
  const byCode = Map.groupBy(counts, ({ code }) => code);
  return Object.fromEntries([...byCode].map(([code, rows]): [string, number] => [code, sumOf(rows)]).sort());
}

function sumOf(rows: readonly { readonly count: number }[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** By value: of two that are as long, as texts. */
export function compareNumbers(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
}

/** The token with the lowest number of each collection that has any, by deploy id. */
export async function readFirstTokens(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, number>> {
  const firsts = new Map<number, number>();
  for (const deployId of deployIds) {
    const first = await firstTokenOf(store, deployId);
    if (first !== undefined) firsts.set(deployId, first.tokenId);
  }
  return firsts;
}

function firstTokenOf(
  store: StoreReader,
  deployId: number,
): Promise<{ readonly tokenId: number; readonly tokenNumber: string } | undefined> {
  return store
    .selectFrom('token')
    .select(['token_id as tokenId', 'token_number as tokenNumber'])
    .where('deploy_id', '=', deployId)
    .where(IN_ORDER, '>', 0)
    .where('minted', '=', 1)
    .orderBy(IN_ORDER)
    .orderBy('token_number')
    .limit(1)
    .executeTakeFirst();
}

/** The token with the lowest number of the first collection of a standard, by contract id, that has any. */
export async function firstNumberedToken(
  store: StoreReader,
  standard: CollectionStandard,
): Promise<{ readonly contractId: string; readonly tokenNumber: string } | undefined> {
  const collection = await store
    .selectFrom('collection')
    .innerJoin('served_token', 'served_token.deploy_id', 'collection.deploy_id')
    .select(['served_token.contract_id as contractId', 'collection.deploy_id as deployId'])
    .where('standard', '=', standard)
    .where('collection.minted', '>', 0)
    .orderBy('served_token.contract_id')
    .limit(1)
    .executeTakeFirst();
  if (collection === undefined) return undefined;
  const { contractId, deployId } = collection;
  const first = await firstTokenOf(store, deployId);
  return first === undefined ? undefined : { contractId, tokenNumber: first.tokenNumber };
}
