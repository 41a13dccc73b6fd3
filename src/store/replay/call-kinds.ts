// Queries about kinds of calls and the variables that they may write. A kind of call is a function with the contracts
// among its arguments.

import { sql } from 'kysely';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export interface CallKind {
  readonly contractId: string;
  /** The name of the called function; empty for a deploy. */
  readonly functionName: string;
  /** The ids of the contracts among the arguments, sorted and joined by spaces. */
  readonly passed: string;
}

/** The kind that stands for all kinds whose code is too large to follow. */
const LARGE: CallKind = { contractId: '', functionName: '', passed: '' };
export const isLarge = ({ contractId }: CallKind): boolean => contractId === LARGE.contractId;

/** Returns the ids of kinds, in the order of the list. Adds kinds that are not stored yet. */
export async function findKindIds(store: StoreWriter, kinds: readonly CallKind[]): Promise<number[]> {
  if (kinds.length === 0) return [];
  const list = JSON.stringify(kinds.map(({ contractId, functionName, passed }) => [contractId, functionName, passed]));
  await sql`insert into call_kind (contract_id, function_name, passed)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(${list}) where true on conflict do nothing`.execute(
    store,
  );
  const { rows } = await sql<{ kind_id: number }>`select kind_id from json_each(${list}) cross join call_kind
    on contract_id = value ->> 0 and function_name = value ->> 1 and passed = value ->> 2 order by json_each.key`.execute(
    store,
  );
  return rows.map((row) => row.kind_id);
}

/** Returns the ids of principals, in the order of the list. Adds principals that are not stored yet. */
export async function findSenderIds(store: StoreWriter, principals: readonly Buffer[]): Promise<number[]> {
  if (principals.length === 0) return [];
  const list = JSON.stringify(principals.map((principal) => principal.toString('hex')));
  await sql`insert into sender (principal) select unhex(value) from json_each(${list}) where true
    on conflict do nothing`.execute(store);
  const { rows } = await sql<{ sender_id: number }>`select sender_id from json_each(${list}) cross join sender
    on principal = unhex(value) order by json_each.key`.execute(store);
  return rows.map((row) => row.sender_id);
}

export type StoredKind = CallKind & { readonly kindId: number };

/** Reads new kinds: the variables that they may write are not stored yet. */
export async function readNewKinds(store: StoreReader, limit: number): Promise<StoredKind[]> {
  return storedKinds(store)
    .where('writes_known', '=', 0)
    .where('contract_id', '<>', LARGE.contractId)
    .limit(limit)
    .execute();
}

/** Stores the keys (clarity/name-key.ts) of all variables that kinds may write. */
export async function storeWrites(
  store: StoreWriter,
  found: readonly { readonly kindId: number; readonly variableKeys: readonly number[] }[],
): Promise<void> {
  const rows = found.flatMap(({ kindId, variableKeys }) =>
    variableKeys.map((key) => ({ variable_key: key, kind_id: kindId })),
  );
  await insertRows(store, 'kind_write', rows, (conflict) => conflict.doNothing());
  const ids = found.map(({ kindId }) => kindId);
  await store.updateTable('call_kind').set({ writes_known: 1 }).where('kind_id', 'in', listed(ids)).execute();
}

/** The key of each kind whose code is too large to follow. No variable has this key. */
export const LARGE_KEY = -1;

/** Adds the kind {@link LARGE} to called kinds and their heights, if the code of one of them is too large to follow. */
export async function withLarge(
  store: StoreWriter,
  called: readonly (readonly [kindId: number, height: number])[],
): Promise<(readonly [kindId: number, height: number])[]> {
  const { rows } = await sql<{ height: number | null }>`select max(value ->> 1) as height
    from json_each(${JSON.stringify(called)}) cross join kind_write on kind_id = value ->> 0
    where variable_key = ${LARGE_KEY}`.execute(store);
  const height = rows[0]?.height;
  if (height === undefined || height === null) return [...called];
  const [kindId] = await findKindIds(store, [LARGE]);
  return [...called, [kindId as number, height]];
}

/** Stores the keys of variables that the kind {@link LARGE} may write. Returns the new ones. */
export async function storeWritesOfLarge(store: StoreWriter, variableKeys: readonly number[]): Promise<number[]> {
  const [kindId] = await findKindIds(store, [LARGE]);
  await store
    .updateTable('call_kind')
    .set({ writes_known: 1 })
    .where('kind_id', '=', kindId as number)
    .execute();
  const { rows } = await sql<{ variable_key: number }>`insert into kind_write (variable_key, kind_id)
    select value, ${kindId} from ${listed(variableKeys)} where true on conflict do nothing
    returning variable_key`.execute(store);
  return rows.map((row) => row.variable_key);
}

/**
 * Marks kinds as new if they may write one of these variables, so that their variables are computed again. Marks all
 * kinds if one of the contracts has several deploys, and all kinds with {@link LARGE_KEY} if {@link LARGE} may write
 * one of the variables.
 */
export async function forgetWrites(
  store: StoreWriter,
  contractIds: readonly string[],
  variableKeys: readonly number[],
): Promise<void> {
  if (contractIds.length === 0) return;
  const large = await storedKinds(store)
    .where('contract_id', '=', LARGE.contractId)
    .where('kind_id', 'in', sql<number>`(select kind_id from kind_write where variable_key in ${listed(variableKeys)})`)
    .executeTakeFirst();
  const keys = large === undefined ? variableKeys : [...variableKeys, LARGE_KEY];
  await sql`update call_kind set writes_known = 0 where writes_known = 1
    and (kind_id in (select kind_id from kind_write where variable_key in ${listed(keys)})
      or exists (select 1 from deploy where contract_id in ${listed(contractIds)}
        group by contract_id having count(*) > 1))`.execute(store);
}

/** Marks all kinds as new, so that their variables are computed again. */
export async function forgetAllWrites(store: StoreWriter): Promise<void> {
  await store.updateTable('call_kind').set({ writes_known: 0 }).where('writes_known', '=', 1).execute();
}

/** Reads at most `limit` kinds that may write one of these variables. */
export async function readKindsWriting(
  store: StoreReader,
  variableKeys: readonly number[],
  limit: number,
): Promise<StoredKind[]> {
  const writing = sql<number>`(select kind_id from kind_write where variable_key in ${listed(variableKeys)})`;
  return storedKinds(store).where('kind_id', 'in', writing).limit(limit).execute();
}

/** Counts the calls of a kind on all forks, up to `limit`. */
export async function countCalls(store: StoreReader, kindId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`select count(*) as calls
    from (select 1 from call where kind_id = ${kindId} limit ${limit})`.execute(store);
  return rows[0]?.calls ?? 0;
}

function storedKinds(store: StoreReader) {
  return store
    .selectFrom('call_kind')
    .select(['kind_id as kindId', 'contract_id as contractId', 'function_name as functionName', 'passed']);
}
