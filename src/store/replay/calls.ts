// Queries about recorded calls, on every fork and on the canonical chain.

import { type SqlBool, sql } from 'kysely';
import { hashFromBlob, withoutNulls } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import { readWithParents } from '../chain/blocks.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { heightOfId, isCanonical } from '../schema/chain.ts';

const IS_CANONICAL = sql<SqlBool>`${sql.raw(isCanonical('call.block_id'))}`;

export interface NewCall {
  readonly blockId: number;
  readonly txIndex: number;
  readonly kindId: number;
  readonly senderId: number;
  readonly txId: Buffer;
  /** The arguments as encoded in the transaction: their number (u32), then each one as a serialized Clarity value. */
  readonly args: Buffer;
  /** The digest of the call's result and events (clarity/event-digest.ts). */
  readonly outcome: Buffer;
}

export async function insertCalls(store: StoreWriter, calls: readonly NewCall[]): Promise<void> {
  const rows = calls.map(({ blockId, txIndex, kindId, senderId, txId, args, outcome }) => ({
    block_id: blockId,
    tx_index: txIndex,
    kind_id: kindId,
    sender_id: senderId,
    tx_id: txId,
    args,
    outcome,
  }));
  // An archive may have two transactions with the same index. No node sends such a block.
  await insertRows(store, 'call', rows, (conflict) => conflict.doNothing());
}

/** A call on the canonical chain. */
export type CanonicalCall = Awaited<ReturnType<typeof readCalls>>[number];

/** Reads the first `limit` canonical calls of these kinds (replay/call-kinds.ts), in chain order, without their arguments. */
export async function readCalls(store: StoreReader, kindIds: readonly number[], limit: number) {
  const rows = await store
    .selectFrom('call')
    .innerJoin('sender', 'sender.sender_id', 'call.sender_id')
    .select(['call.block_id as blockId', 'call.tx_index as txIndex', 'call.kind_id as kindId'])
    .select(['call.tx_id', sql<number>`length(call.args)`.as('argumentBytes'), 'call.outcome'])
    .select('sender.principal as sender')
    .where('call.kind_id', 'in', listed(kindIds))
    .where(IS_CANONICAL)
    .orderBy('call.block_id')
    .orderBy('call.tx_index')
    .limit(limit)
    .execute();
  const blocks = await readWithParents(store, new Set(rows.map(({ blockId }) => blockId)));
  return rows.flatMap(({ tx_id, ...call }) => {
    const block = blocks.get(call.blockId);
    if (block === undefined) return [];
    const { height: blockHeight, burnBlockHeight, tenureHeight, burnViewHeight, parentBurnHeight } = block;
    const facts = { blockHeight, burnBlockHeight, tenureHeight, burnViewHeight, parentBurnHeight };
    return [{ ...withoutNulls(call), ...facts, txId: hashFromBlob(tx_id) }];
  });
}

/** Reads the arguments of calls, in their order. */
export async function readArguments(
  store: StoreReader,
  calls: readonly { readonly blockId: number; readonly txIndex: number }[],
): Promise<Buffer[]> {
  const list = JSON.stringify(calls.map(({ blockId, txIndex }) => [blockId, txIndex]));
  const { rows } = await sql<{ args: Buffer }>`select args from json_each(${list}) cross join call
    on block_id = value ->> 0 and tx_index = value ->> 1 order by json_each.key`.execute(store);
  return rows.map((row) => row.args);
}

/** Returns those kinds that have a canonical call at or after a position in the chain. */
export async function kindsCalledSince(
  store: StoreReader,
  kindIds: readonly number[],
  { blockHeight, txIndex }: Pick<CanonicalCall, 'blockHeight' | 'txIndex'>,
): Promise<Set<number>> {
  const rows = await store
    .selectFrom('call')
    .select('call.kind_id')
    .distinct()
    .where('call.kind_id', 'in', listed(kindIds))
    .where(IS_CANONICAL)
    .where(sql<SqlBool>`(${sql.raw(heightOfId('call.block_id'))}, call.tx_index) >= (${blockHeight}, ${txIndex})`)
    .execute();
  return new Set(rows.map((row) => row.kind_id));
}
