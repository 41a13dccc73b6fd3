// Queries about recorded contract calls: calls that may have changed what a token's getters read.

import type { ContractCall } from '#model/chain-event.ts';
import { countRows, highest } from '#sqlite/aggregates.ts';
import { excluded, hashFromBlob, hashToBlob, toFlag, withoutNulls } from '#sqlite/columns.ts';
import { inOrderOf, insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** A call or the deploy of a contract; a deploy has no function, arguments or result. */
export interface NewCall extends ContractCall {
  readonly blockId: number;
  /** Contracts whose watched variables the call may write. */
  readonly stateContracts: readonly string[];
}

/** A recorded call on the canonical chain, or a deploy, which has an empty function name. */
export interface RecordedCall extends ContractCall {
  readonly callId: number;
  readonly blockHeight: number;
  readonly burnBlockHeight: number;
  readonly tenureHeight: number | undefined;
  readonly burnViewHeight: number | undefined;
  /** Burn height of the parent block; undefined if unknown. */
  readonly parentBurnHeight: number | undefined;
}

export async function insertCalls(store: StoreWriter, calls: readonly NewCall[]): Promise<void> {
  const firstId = (await highest(store, 'call', 'call_id')) + 1;
  const ids = new Map(calls.map((call, index) => [call, firstId + index]));
  const rows = calls.map((call, index) => ({
    call_id: firstId + index,
    block_id: call.blockId,
    tx_index: call.txIndex,
    tx_id: hashToBlob(call.txId),
    sender_address: call.senderAddress,
    sponsor_address: call.sponsorAddress ?? null,
    contract_id: call.contractId,
    function_name: call.functionName,
    args: call.args,
    result: call.result,
    events: call.events === undefined ? null : Buffer.from(call.events),
  }));
  await insertRows(store, 'call', rows);
  await insertCallStates(store, calls, (call) => ids.get(call));
}

/** Ids of recorded calls, by block and transaction index. */
export async function findCallIds(store: StoreReader, blockIds: readonly number[]) {
  const calls = store.selectFrom('call').select(['call_id', 'block_id', 'tx_index']);
  const rows = await calls.where('block_id', 'in', listed(blockIds)).execute();
  const byBlock = Map.groupBy(rows, (row) => row.block_id);
  return new Map([...byBlock].map(([id, rows]) => [id, new Map(rows.map((row) => [row.tx_index, row.call_id]))]));
}

/** Skips calls without an id, and what is known of the others. */
export async function insertCallStates(
  store: StoreWriter,
  calls: readonly NewCall[],
  idOf: (call: NewCall) => number | undefined,
): Promise<void> {
  const rows = calls.flatMap((call) => {
    const id = idOf(call);
    return id === undefined ? [] : call.stateContracts.map((contractId) => ({ contract_id: contractId, call_id: id }));
  });
  await insertRows(store, 'call_state', rows, (conflict) => conflict.doNothing());
}

const PAGE_ROWS = 5_000;

/** Canonical calls that may have changed a contract, in the order in which they were recorded. */
export async function readCallsOf(store: StoreReader, contractId: string): Promise<RecordedCall[]> {
  const calls = store
    .selectFrom('call_state')
    .innerJoin('call', 'call.call_id', 'call_state.call_id')
    .innerJoin('block', 'block.block_id', 'call.block_id')
    .leftJoin('block as parent', 'parent.index_block_hash', 'block.parent_index_block_hash')
    .select(['call.call_id as callId', 'call.tx_id', 'call.tx_index as txIndex', 'call.contract_id as contractId'])
    .select(['call.function_name as functionName', 'call.args', 'call.result', 'call.events'])
    .select(['call.sender_address as senderAddress', 'call.sponsor_address as sponsorAddress'])
    .select(['block.height as blockHeight', 'block.burn_block_height as burnBlockHeight'])
    .select(['block.tenure_height as tenureHeight', 'block.burn_view_height as burnViewHeight'])
    .select(['parent.burn_block_height as parentBurnHeight'])
    .where('call_state.contract_id', '=', contractId)
    .where('block.canonical', '=', 1);
  const pages = await Array.fromAsync(inOrderOf(calls, 'call_state.call_id', 'callId', PAGE_ROWS, -1));
  return pages.flat().map(({ tx_id, ...call }) => ({ ...withoutNulls(call), txId: hashFromBlob(tx_id) }));
}

/** How many of the calls that may have changed a contract are recorded. */
export interface Recorded {
  /** Units of 1,000 bytes. */
  readonly units: number;
  /** True if there were more calls. */
  readonly leftOut: boolean;
}

/** Amounts by contract; contracts without recorded calls are left out. */
export async function readRecorded(store: StoreReader, contractIds: readonly string[]): Promise<Map<string, Recorded>> {
  const rows = await rowsWith(store, 'recorded_calls', 'contract_id', contractIds);
  return new Map(rows.map((row) => [row.contract_id, { units: row.units, leftOut: row.left_out === 1 }]));
}

export async function writeRecorded(store: StoreWriter, recorded: ReadonlyMap<string, Recorded>): Promise<void> {
  const rows = [...recorded].map(([contractId, { units, leftOut }]) => ({
    contract_id: contractId,
    units,
    left_out: toFlag(leftOut),
  }));
  await insertRows(store, 'recorded_calls', rows, (conflict) => conflict.doUpdateSet(excluded('units', 'left_out')));
}

/** True if calls were left out of a contract that has fewer than the limit. */
export async function wasLimitLower(store: StoreReader, maxCalls: number): Promise<boolean> {
  const limited = store.selectFrom('recorded_calls').where('left_out', '=', 1);
  return (await countRows(limited.where('units', '<', maxCalls))) > 0;
}

/** Takes all calls for recorded, except of these contracts. Returns those of which that was not known before. */
export async function markAllRecorded(store: StoreWriter, except: readonly string[]): Promise<string[]> {
  const limited = store.updateTable('recorded_calls').set({ left_out: 0 }).where('left_out', '=', 1);
  const updated = limited.where('contract_id', 'not in', listed(except)).returning('contract_id');
  return (await updated.execute()).map((row) => row.contract_id);
}
