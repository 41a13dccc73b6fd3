// Queries about recorded calls, on every fork and on the canonical chain.

import { hashFromBlob, withoutNulls } from '#sqlite/columns.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export interface NewCall {
  readonly blockId: number;
  readonly txIndex: number;
  readonly shapeId: number;
  readonly senderId: number;
  readonly sponsorId: number | undefined;
  readonly txId: Buffer;
  /** Encoded as in the transaction: their number (u32), then each as a serialized Clarity value. */
  readonly args: Buffer;
  /** Digest of its result and events (clarity/event-digest.ts). */
  readonly outcome: Buffer;
}

export async function insertCalls(store: StoreWriter, calls: readonly NewCall[]): Promise<void> {
  const rows = calls.map(({ blockId, txIndex, shapeId, senderId, sponsorId, txId, args, outcome }) => ({
    block_id: blockId,
    tx_index: txIndex,
    shape_id: shapeId,
    sender_id: senderId,
    sponsor_id: sponsorId ?? null,
    tx_id: txId,
    args,
    outcome,
  }));
  await insertRows(store, 'call', rows);
}

/** A call on the canonical chain. */
export type CanonicalCall = Awaited<ReturnType<typeof readCalls>>[number];

/** The first canonical calls of these shapes, in chain order. */
export async function readCalls(store: StoreReader, shapeIds: readonly number[], limit: number) {
  const rows = await store
    .selectFrom('call')
    .innerJoin('block', 'block.block_id', 'call.block_id')
    .leftJoin('block as parent', 'parent.index_block_hash', 'block.parent_index_block_hash')
    .innerJoin('sender', 'sender.sender_id', 'call.sender_id')
    .leftJoin('sender as sponsor', 'sponsor.sender_id', 'call.sponsor_id')
    .select(['call.block_id as blockId', 'call.tx_index as txIndex', 'call.shape_id as shapeId'])
    .select(['call.tx_id', 'call.args', 'call.outcome'])
    .select(['sender.principal as sender', 'sponsor.principal as sponsor'])
    .select(['block.height as blockHeight', 'block.burn_block_height as burnBlockHeight'])
    .select(['block.tenure_height as tenureHeight', 'block.burn_view_height as burnViewHeight'])
    /** Undefined if the parent is not known. */
    .select(['parent.burn_block_height as parentBurnHeight'])
    .where('call.shape_id', 'in', listed(shapeIds))
    .where('block.canonical', '=', 1)
    .orderBy('block.height')
    .orderBy('call.tx_index')
    .limit(limit)
    .execute();
  return rows.map(({ tx_id, ...call }) => ({ ...withoutNulls(call), txId: hashFromBlob(tx_id) }));
}

/** The shapes among these that have a canonical call at or after a place. */
export async function shapesCalledSince(
  store: StoreReader,
  shapeIds: readonly number[],
  { blockHeight, txIndex }: Pick<CanonicalCall, 'blockHeight' | 'txIndex'>,
): Promise<Set<number>> {
  const rows = await store
    .selectFrom('call')
    .innerJoin('block', 'block.block_id', 'call.block_id')
    .select('call.shape_id')
    .distinct()
    .where('call.shape_id', 'in', listed(shapeIds))
    .where('block.canonical', '=', 1)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('block.height', 'call.tx_index'), '>=', tuple(blockHeight, txIndex)),
    )
    .execute();
  return new Set(rows.map((row) => row.shape_id));
}
