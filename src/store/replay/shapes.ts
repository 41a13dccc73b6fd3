// Queries about shapes and the variables that they may write. A shape is a called function with the contracts among its
// arguments.

import { sql } from 'kysely';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export interface Shape {
  readonly contractId: string;
  /** The name of the called function; empty for a deploy. */
  readonly functionName: string;
  /** The ids of the contracts among the arguments, sorted and joined by spaces. */
  readonly passed: string;
}

/** The shape that stands for all shapes whose code is too large to follow. */
const LARGE: Shape = { contractId: '', functionName: '', passed: '' };
export const isLarge = ({ contractId }: Shape): boolean => contractId === LARGE.contractId;

/** Returns the ids of shapes, in the order of the list. Adds shapes that are not stored yet. */
export async function findShapeIds(store: StoreWriter, shapes: readonly Shape[]): Promise<number[]> {
  if (shapes.length === 0) return [];
  const list = JSON.stringify(shapes.map(({ contractId, functionName, passed }) => [contractId, functionName, passed]));
  await sql`insert into call_shape (contract_id, function_name, passed)
    select value ->> 0, value ->> 1, value ->> 2 from json_each(${list}) where true on conflict do nothing`.execute(
    store,
  );
  const { rows } = await sql<{ shape_id: number }>`select shape_id from json_each(${list}) cross join call_shape
    on contract_id = value ->> 0 and function_name = value ->> 1 and passed = value ->> 2 order by json_each.key`.execute(
    store,
  );
  return rows.map((row) => row.shape_id);
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

export type StoredShape = Shape & { readonly shapeId: number };

/** Reads new shapes: the variables that they may write are not stored yet. */
export async function readNewShapes(store: StoreReader, limit: number): Promise<StoredShape[]> {
  return shapes(store).where('is_placed', '=', 0).where('contract_id', '<>', LARGE.contractId).limit(limit).execute();
}

/** Stores the keys of the variables that shapes may write (clarity/name-key.ts). */
export async function placeShapes(
  store: StoreWriter,
  placed: readonly { readonly shapeId: number; readonly variableKeys: readonly number[] }[],
): Promise<void> {
  const rows = placed.flatMap(({ shapeId, variableKeys }) =>
    variableKeys.map((key) => ({ variable_key: key, shape_id: shapeId })),
  );
  await insertRows(store, 'shape_write', rows, (conflict) => conflict.doNothing());
  const ids = placed.map(({ shapeId }) => shapeId);
  await store.updateTable('call_shape').set({ is_placed: 1 }).where('shape_id', 'in', listed(ids)).execute();
}

/** The key of each shape whose code is too large to follow. No variable has this key. */
export const LARGE_KEY = -1;

/** Adds the shape {@link LARGE} to called shapes and their heights, if the code of one of them is too large to follow. */
export async function withLarge(
  store: StoreWriter,
  called: readonly (readonly [shapeId: number, height: number])[],
): Promise<(readonly [shapeId: number, height: number])[]> {
  const { rows } = await sql<{ height: number | null }>`select max(value ->> 1) as height
    from json_each(${JSON.stringify(called)}) cross join shape_write on shape_id = value ->> 0
    where variable_key = ${LARGE_KEY}`.execute(store);
  const height = rows[0]?.height;
  if (height === undefined || height === null) return [...called];
  const [shapeId] = await findShapeIds(store, [LARGE]);
  return [...called, [shapeId as number, height]];
}

/** Stores the keys of variables that the shape {@link LARGE} may write. Returns the new ones. */
export async function placeLarge(store: StoreWriter, variableKeys: readonly number[]): Promise<number[]> {
  const [shapeId] = await findShapeIds(store, [LARGE]);
  await store
    .updateTable('call_shape')
    .set({ is_placed: 1 })
    .where('shape_id', '=', shapeId as number)
    .execute();
  const { rows } = await sql<{ variable_key: number }>`insert into shape_write (variable_key, shape_id)
    select value, ${shapeId} from ${listed(variableKeys)} where true on conflict do nothing
    returning variable_key`.execute(store);
  return rows.map((row) => row.variable_key);
}

/**
 * Marks shapes as new if they may write one of these variables, so that their variables are computed again. Marks all
 * shapes if one of the contracts has several deploys, and all shapes with {@link LARGE_KEY} if {@link LARGE} may write
 * one of the variables.
 */
export async function forgetShapes(
  store: StoreWriter,
  contractIds: readonly string[],
  variableKeys: readonly number[],
): Promise<void> {
  if (contractIds.length === 0) return;
  const large = await shapes(store)
    .where('contract_id', '=', LARGE.contractId)
    .where(
      'shape_id',
      'in',
      sql<number>`(select shape_id from shape_write where variable_key in ${listed(variableKeys)})`,
    )
    .executeTakeFirst();
  const keys = large === undefined ? variableKeys : [...variableKeys, LARGE_KEY];
  await sql`update call_shape set is_placed = 0 where is_placed = 1
    and (shape_id in (select shape_id from shape_write where variable_key in ${listed(keys)})
      or exists (select 1 from deploy where contract_id in ${listed(contractIds)}
        group by contract_id having count(*) > 1))`.execute(store);
}

/** Marks all shapes as new, so that their variables are computed again. */
export async function forgetAllShapes(store: StoreWriter): Promise<void> {
  await store.updateTable('call_shape').set({ is_placed: 0 }).where('is_placed', '=', 1).execute();
}

/** Reads at most `limit` shapes that may write one of these variables. */
export async function readShapesWriting(
  store: StoreReader,
  variableKeys: readonly number[],
  limit: number,
): Promise<StoredShape[]> {
  const writing = sql<number>`(select shape_id from shape_write where variable_key in ${listed(variableKeys)})`;
  return shapes(store).where('shape_id', 'in', writing).limit(limit).execute();
}

/** Counts the calls of a shape on all forks, up to `limit`. */
export async function countCalls(store: StoreReader, shapeId: number, limit: number): Promise<number> {
  const { rows } = await sql<{ calls: number }>`select count(*) as calls
    from (select 1 from call where shape_id = ${shapeId} limit ${limit})`.execute(store);
  return rows[0]?.calls ?? 0;
}

function shapes(store: StoreReader) {
  return store
    .selectFrom('call_shape')
    .select(['shape_id as shapeId', 'contract_id as contractId', 'function_name as functionName', 'passed']);
}
