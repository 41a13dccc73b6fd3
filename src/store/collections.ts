// Queries about collections: the tokens with numbers that blocks, nodes and APIs name, in the order of the numbers.
import { CompiledQuery, type SqlBool, sql } from 'kysely';
import type { FailureCode, Reason } from '#model/failure.ts';
import {
  type CollectionStandard,
  isCollectionStandard,
  type NftMode,
  NO_NUMBER,
  type TokenState,
} from '#model/token.ts';
import { toFlag } from './flags.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inPages, readInRuns } from './lists.ts';
import { settleEvents } from './migrations/0016-collections.ts';
import { failureColumns } from './stored-failure.ts';

export interface NewTokenEvent {
  readonly deployId: number;
  readonly tokenNumber: string;
  readonly blockId: number;
  readonly minted: boolean;
  /** Whether it was burned in the end. */
  readonly burned: boolean;
}

/** The deploys of contracts that are collections, on whatever fork. */
export async function readCollectionDeploys(
  store: StoreReader,
  contractIds: readonly string[],
): Promise<{ contractId: string; deployId: number; standard: CollectionStandard }[]> {
  const rows = await readInRuns(contractIds, (run) =>
    store
      .selectFrom('deploy')
      .select(['contract_id', 'deploy_id', 'standard'])
      .where('contract_id', 'in', run)
      .execute(),
  );
  return rows.flatMap(({ contract_id: contractId, deploy_id: deployId, standard }) =>
    isCollectionStandard(standard) ? [{ contractId, deployId, standard }] : [],
  );
}

/** Numbers have no leading zeros: the longer is the larger. */
const IN_ORDER = sql<number>`length(token_number)`;

/** How many rows a statement takes as JSON. */
const RUN_ROWS = 5_000;

/**
 * Stores what blocks did to tokens, and the tokens that are new; a collection gets no more than `maxTokens`. Returns
 * the deploys of the collections that got new ones.
 */
export async function insertTokenEvents(
  store: StoreWriter,
  events: readonly NewTokenEvent[],
  maxTokens: number,
): Promise<Set<number>> {
  const grown = new Set<number>();
  for (const [deployId, ofDeploy] of Map.groupBy(events, (event) => event.deployId)) {
    for (let start = 0; start < ofDeploy.length; start += RUN_ROWS) {
      const run = ofDeploy.slice(start, start + RUN_ROWS);
      const numbers = run.map(({ tokenNumber }) => tokenNumber);
      if ((await insertNumbers(store, deployId, numbers, maxTokens)) > 0) grown.add(deployId);
      const rows = JSON.stringify(
        run.map((one) => [one.tokenNumber, one.blockId, toFlag(one.minted), toFlag(one.burned)]),
      );
      const stored = await sql<{ token_id: number }>`insert into token_event (token_id, block_id, minted, burned)
        select token.token_id, event.value ->> 1, event.value ->> 2, event.value ->> 3
        from json_each(${rows}) as event
        cross join token on token.deploy_id = ${deployId} and token.token_number = event.value ->> 0
        where true on conflict do nothing returning token_id`.execute(store);
      const tokenIds = JSON.stringify(stored.rows.map((row) => row.token_id));
      await store.executeQuery(CompiledQuery.raw(settleEvents('select value from json_each(?)'), [tokenIds]));
    }
  }
  return grown;
}

/** Adds the tokens that are new, each once and up to the limit, in the order in which they are given; how many. */
export async function insertNumbers(
  store: StoreWriter,
  deployId: number,
  tokenNumbers: readonly string[],
  maxTokens: number,
): Promise<number> {
  const { rows } = await sql<{ number: string }>`select value as number from json_each(${JSON.stringify(tokenNumbers)})
    where not exists (select 1 from token where deploy_id = ${deployId} and token_number = value)
    group by value order by min(key)`.execute(store);
  if (rows.length === 0) return 0;
  const before = await store.selectFrom('collection').selectAll().where('deploy_id', '=', deployId).executeTakeFirst();
  const room = Math.max(0, maxTokens - (before?.tokens ?? 0));
  const added = rows.slice(0, room).map((row) => row.number);
  const counts = {
    tokens: (before?.tokens ?? 0) + added.length,
    minted: (before?.minted ?? 0) + added.length,
    left_out: (before?.left_out ?? 0) + rows.length - added.length,
  };
  await store
    .insertInto('collection')
    .values({ deploy_id: deployId, ...counts })
    .onConflict((conflict) => conflict.column('deploy_id').doUpdateSet(counts))
    .execute();
  await sql`insert into token (deploy_id, token_number, state)
    select ${deployId}, value, 'queued' from json_each(${JSON.stringify(added)})`.execute(store);
  return added.length;
}

/** The numbers of the tokens of a collection that are stored, in their order. */
export async function readNumbers(store: StoreReader, deployId: number): Promise<string[]> {
  const numbers: string[] = [];
  for await (const page of tokensInOrder(store, deployId)) numbers.push(...page.map(({ tokenNumber }) => tokenNumber));
  return numbers;
}

/** The tokens among these that have a number. */
export async function numberedAmong(store: StoreReader, tokenIds: readonly number[]): Promise<Set<number>> {
  const rows = await readInRuns(tokenIds, (run) =>
    store
      .selectFrom('token')
      .select('token_id')
      .where('token_id', 'in', run)
      .where('token_number', '<>', NO_NUMBER)
      .execute(),
  );
  return new Set(rows.map((row) => row.token_id));
}

/** Writes the state of all tokens of a collection at once. */
export async function writeStateOfAll(
  store: StoreWriter,
  deployId: number,
  state: TokenState,
  failure?: Reason,
): Promise<void> {
  await store
    .updateTable('token')
    .set({ state, ...failureColumns(failure) })
    .where('deploy_id', '=', deployId)
    .where('token_number', '<>', NO_NUMBER)
    .execute();
}

/** Whether any token of a collection has a document, or a reason why it has none. */
export async function hasDocuments(store: StoreReader, deployId: number): Promise<boolean> {
  const row = await store
    .selectFrom('token')
    .innerJoin('document', 'document.token_id', 'token.token_id')
    .select('document.token_id')
    .where('token.deploy_id', '=', deployId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const PAGE_ROWS = 500;

export interface NumberedToken {
  readonly tokenId: number;
  readonly tokenNumber: string;
  readonly isMinted: boolean;
  readonly state: TokenState;
}

/** The tokens of a collection that are stored, minted on whatever fork, by number, a page at a time. */
export async function* tokensInOrder(store: StoreReader, deployId: number): AsyncGenerator<NumberedToken[]> {
  const pages = inPages(
    (after) =>
      store
        .selectFrom('token')
        .select(['token_id as tokenId', 'token_number as tokenNumber', 'minted', 'state'])
        .where('deploy_id', '=', deployId)
        .where(sql<SqlBool>`(length(token_number), token_number) > (length(${after}), ${after})`)
        .orderBy(IN_ORDER)
        .orderBy('token_number')
        .limit(PAGE_ROWS)
        .execute(),
    ({ tokenNumber }) => tokenNumber,
    NO_NUMBER,
  );
  for await (const page of pages) yield page.map(({ minted, ...token }) => ({ ...token, isMinted: minted === 1 }));
}

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
  const rows = await readInRuns(deployIds, (run) =>
    store.selectFrom('collection').selectAll().where('deploy_id', 'in', run).execute(),
  );
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
    ['token', 'reading', 'document'].map(
      (table) => sql`select token.token_number, failed.failure_code as code, failed.failure_message as message
        from token join ${sql.table(table)} as failed on failed.token_id = token.token_id
        where token.deploy_id = ${deployId} and token.token_number <> '' and token.minted = 1
        and failed.failure_code is not null`,
    ),
    sql` union all `,
  )})`;
  const counts = await sql<{ code: FailureCode; count: number }>`
    select code, count(*) as count from ${failures} group by code order by code`.execute(store);
  const named = await sql<{ token_number: string; code: FailureCode; message: string }>`
    select token_number, code, message from ${failures} group by token_number
    order by length(token_number), token_number limit ${most}`.execute(store);
  return {
    byState: {
      complete: inState('complete'),
      partial: inState('partial'),
      queued: inState('queued'),
      error: inState('error'),
    },
    byFailure: Object.fromEntries(counts.rows.map(({ code, count }) => [code, count])),
    burned: sumOf(states.filter((row) => row.burned === 1)),
    burnedNumbers: burned.map((row) => row.token_number),
    exceptions: named.rows.map(({ token_number: tokenNumber, code, message }) => ({
      tokenNumber,
      reason: { code, message },
    })),
  };
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
    const row = await store
      .selectFrom('token')
      .select('token_id')
      .where('deploy_id', '=', deployId)
      .where(IN_ORDER, '>', 0)
      .where('minted', '=', 1)
      .orderBy(IN_ORDER)
      .orderBy('token_number')
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) firsts.set(deployId, row.token_id);
  }
  return firsts;
}

/** The row of a collection itself. */
export async function readOwnId(store: StoreReader, deployId: number): Promise<number | undefined> {
  const row = await store
    .selectFrom('token')
    .select('token_id')
    .where('deploy_id', '=', deployId)
    .where('token_number', '=', NO_NUMBER)
    .executeTakeFirst();
  return row?.token_id;
}

/** The token with the lowest number of the first collection of a standard, by contract id, that has any. */
export async function firstNumberedToken(
  store: StoreReader,
  standard: CollectionStandard,
): Promise<{ readonly contractId: string; readonly tokenNumber: string } | undefined> {
  return store
    .selectFrom('served_token')
    .innerJoin('collection', 'collection.deploy_id', 'served_token.deploy_id')
    .innerJoin('token as first', 'first.deploy_id', 'served_token.deploy_id')
    .select(['served_token.contract_id as contractId', 'first.token_number as tokenNumber'])
    .where('standard', '=', standard)
    .where('collection.minted', '>', 0)
    .where('first.token_number', '<>', NO_NUMBER)
    .where('first.minted', '=', 1)
    .orderBy('served_token.contract_id')
    .orderBy(sql`length(first.token_number)`)
    .orderBy('first.token_number')
    .limit(1)
    .executeTakeFirst();
}

const NFT_MODE = 'nft_mode';

/** How far runs have gone with all collections. */
export async function readNftMode(store: StoreReader): Promise<NftMode> {
  const row = await store.selectFrom('info').select('value').where('key', '=', NFT_MODE).executeTakeFirst();
  return (row?.value ?? 'none') as NftMode;
}

export async function writeNftMode(store: StoreWriter, nft: NftMode): Promise<void> {
  await store
    .insertInto('info')
    .values({ key: NFT_MODE, value: nft })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: nft }))
    .execute();
}
