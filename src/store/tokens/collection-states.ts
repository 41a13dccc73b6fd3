// Counts the tokens of collections, lists tokens with missing data, and finds the first tokens.

import { sql } from 'kysely';
import { type FailureCode, failureSentence } from '#model/failure.ts';
import { COLLECTION_STANDARDS, type CollectionStandard, NO_NUMBER } from '#model/token.ts';
import { listed, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { IN_ORDER } from './collections.ts';

/** Numbers of tokens on the canonical chain, and of tokens left out because of the limit. */
export type CollectionCounts = Readonly<typeof NO_TOKENS>;

export const NO_TOKENS = { minted: 0, leftOut: 0 };

/** Returns the numbers of tokens by deploy id. Skips deploys without tokens. */
export async function countTokensOf(store: StoreReader, deployIds: readonly number[]) {
  const rows = await rowsWith(store, 'collection', 'deploy_id', deployIds);
  return new Map(rows.map((row) => [row.deploy_id, { minted: row.minted, leftOut: row.left_out }]));
}

export async function countNumberedTokens(store: StoreReader): Promise<Record<CollectionStandard, number>> {
  const rows = await store
    .selectFrom('collection')
    .innerJoin('served_token', 'served_token.deploy_id', 'collection.deploy_id')
    .select((eb) => ['standard', eb.fn.sum<number>('collection.minted').as('count')])
    .groupBy('standard')
    .execute();
  return { 'sip-009': 0, 'sip-013': 0, ...Object.fromEntries(rows.map(({ standard, count }) => [standard, count])) };
}

/** Returns the number of tokens of each served collection, without the collections' ids. */
export async function countTokensOfAll(store: StoreReader): Promise<number[]> {
  const { rows } = await sql<{ minted: number }>`
    select coalesce(collection.minted, 0) as minted from served_token left join collection using (deploy_id)
    where standard in ${listed(COLLECTION_STANDARDS)}`.execute(store);
  return rows.map(({ minted }) => minted);
}

export type CollectionStates = Awaited<ReturnType<typeof readCollectionStates>>;

/** Reads the states of the tokens of a collection. `maxListed` limits the listed exceptions and burned tokens. */
export async function readCollectionStates(store: StoreReader, deployId: number, maxListed: number) {
  const tokens = store
    .selectFrom('token')
    .where('deploy_id', '=', deployId)
    .where('token_number', '<>', NO_NUMBER)
    .where('minted', '=', 1);
  const states = await tokens
    .select((eb) => ['state', 'burned', eb.fn.countAll<number>().as('count')])
    .groupBy(['state', 'burned'])
    .execute();
  const byState = { complete: 0, partial: 0, queued: 0, error: 0 };
  for (const { state, count } of states) byState[state] += count;
  const burned = states.reduce((sum, row) => sum + row.burned * row.count, 0);
  const burnedNumbers = await tokens
    .select('token_number')
    .where('burned', '=', 1)
    .orderBy(IN_ORDER)
    .orderBy('token_number')
    .limit(maxListed)
    .execute();
  const all = tokens.selectAll();
  const failures = sql`(${sql.join(
    ['reading', 'token', 'document'].map(
      (table, rank) => sql`select token.token_number, failed.failure_code as code, failed.failure_message as message,
        ${sql.lit(rank)} as rank
        from ${all} as token join ${sql.table(table)} as failed using (token_id)
        where failed.failure_code is not null`,
    ),
    sql` union all `,
  )})`;
  // Selects tokens without a document. A document that was never requested has not failed, so no failure is stored.
  const without = sql`(
    select token.token_number, own.token_id as own, case when coalesce(own.value, shared.value) is null
      then ${sql.lit('no-uri' satisfies FailureCode)}
      else ${sql.lit('document-not-fetched' satisfies FailureCode)} end as code
    from ${all} as token
    left join reading as own on own.token_id = token.token_id and own.getter = 'get-token-uri'
    left join reading as shared on shared.getter = 'get-token-uri' and shared.token_id =
      (select token_id from token where deploy_id = ${deployId} and token_number = '')
    where token.state = 'partial' and token.failure_code is null
    and (coalesce(own.value, shared.value) is not null or coalesce(own.failure_code, shared.failure_code) is null)
    and not exists (select 1 from document where document.token_id = token.token_id))`;
  const counts = await sql<{ code: FailureCode; count: number }>`
    select code, count(*) as count from (select code from ${failures} union all select code from ${without})
    group by code order by code`.execute(store);
  // Lists one reason per token. A missing URI counts only if it is the token's own reading, because a collection
  // without URIs has one reading for all its tokens.
  const noUri = sql`select token_number, code, ${failureSentence('no-uri')}, 3 from ${without}
    where code = 'no-uri' and own is not null`;
  const named = await sql<{ token_number: string; code: FailureCode; message: string }>`
    select token_number, code, message from
    (select *, min(rank) from (select * from ${failures} union all ${noUri}) group by token_number)
    order by length(token_number), token_number limit ${maxListed}`.execute(store);
  return {
    byState,
    byFailure: Object.fromEntries(counts.rows.map(({ code, count }) => [code, count])),
    burned,
    /** The lowest ids of burned tokens. */
    burnedNumbers: burnedNumbers.map((row) => row.token_number),
    /** Tokens with missing data, each with the reason. */
    exceptions: named.rows.map(({ token_number: tokenNumber, ...reason }) => ({ tokenNumber, reason })),
  };
}

/** Returns the token with the lowest id of each collection, by deploy id. Collections without tokens are left out. */
export async function readFirstTokens(store: StoreReader, deployIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ deploy_id: number; token_id: number | null }>`
    select deploy_id, ${firstTokenColumn('token_id')} as token_id
    from collection where deploy_id in ${listed(deployIds)}`.execute(store);
  return new Map(rows.flatMap((row) => (row.token_id === null ? [] : [[row.deploy_id, row.token_id]])));
}

/** Finds the first collection that has tokens, in order of contract id. Returns its token with the lowest id. */
export async function firstNumberedToken(store: StoreReader, standard: CollectionStandard) {
  const { rows } = await sql<{ contractId: string; tokenNumber: string }>`
    select contract_id as contractId, ${firstTokenColumn('token_number')} as tokenNumber
    from collection join served_token using (deploy_id)
    where standard = ${standard} and collection.minted > 0 order by contract_id limit 1`.execute(store);
  return rows[0];
}

/** Selects a column of the token with the lowest id of a collection on the canonical chain. */
function firstTokenColumn(column: 'token_id' | 'token_number') {
  return sql`(select first.${sql.ref(column)} from token as first
    where first.deploy_id = collection.deploy_id and length(first.token_number) > 0 and first.minted = 1
    order by length(first.token_number), first.token_number limit 1)`;
}
