// Queries about recorded contract calls: calls that may have changed what a token's getters read.

import type { ContractCall } from '#model/chain-event.ts';
import { hashFromBlob, hashToBlob } from '#sqlite/columns.ts';
import { inPages, inRuns, insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** A call or the deploy of a contract; a deploy has no function, arguments or result. */
export interface NewCall extends ContractCall {
  readonly blockId: number;
  /** Contracts whose watched variables the call may write. */
  readonly stateContracts: readonly string[];
}

/** A recorded call on the canonical chain, or a deploy, which has an empty function name. */
export interface RecordedCall {
  readonly callId: number;
  readonly txId: string;
  readonly blockHeight: number;
  readonly burnBlockHeight: number;
  readonly tenureHeight: number | undefined;
  /** Burn height of the parent block; undefined if unknown. */
  readonly parentBurnHeight: number | undefined;
  readonly txIndex: number;
  readonly senderAddress: string;
  readonly sponsorAddress: string | undefined;
  readonly contractId: string;
  readonly functionName: string;
  /** Encoded as in the transaction: their number (u32), then each as a serialized Clarity value. */
  readonly args: Uint8Array;
  /** A serialized Clarity value. */
  readonly result: Uint8Array;
  readonly events: Uint8Array | undefined;
}

export async function insertCalls(store: StoreWriter, calls: readonly NewCall[]): Promise<void> {
  for (const run of inRuns(calls, 10)) {
    const rows = run.map((call) => ({
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
    const inserted = await store.insertInto('call').values(rows).returning('call_id').execute();
    const ids = new Map(run.map((call, index) => [call, inserted[index]?.call_id]));
    await insertCallStates(store, run, (call) => ids.get(call));
  }
}

/** Ids of recorded calls, by block and transaction index. */
export async function findCallIds(
  store: StoreReader,
  blockIds: readonly number[],
): Promise<Map<number, Map<number, number>>> {
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
  const calls: RecordedCall[] = [];
  const pages = inPages(
    (after: number) => readPage(store, contractId, after),
    ({ callId }) => callId,
    -1,
  );
  for await (const page of pages) for (const call of page) calls.push(call);
  return calls;
}

async function readPage(store: StoreReader, contractId: string, after: number): Promise<RecordedCall[]> {
  const rows = await store
    .selectFrom('call_state')
    .innerJoin('call', 'call.call_id', 'call_state.call_id')
    .innerJoin('block', 'block.block_id', 'call.block_id')
    .leftJoin('block as parent', 'parent.index_block_hash', 'block.parent_index_block_hash')
    .selectAll('call')
    .select(['block.height', 'block.burn_block_height', 'block.tenure_height'])
    .select('parent.burn_block_height as parent_burn_height')
    .where('call_state.contract_id', '=', contractId)
    .where('call_state.call_id', '>', after)
    .where('block.canonical', '=', 1)
    .orderBy('call_state.call_id')
    .limit(PAGE_ROWS)
    .execute();
  return rows.map((row) => ({
    callId: row.call_id,
    txId: hashFromBlob(row.tx_id),
    blockHeight: row.height,
    burnBlockHeight: row.burn_block_height,
    tenureHeight: row.tenure_height ?? undefined,
    parentBurnHeight: row.parent_burn_height ?? undefined,
    txIndex: row.tx_index,
    senderAddress: row.sender_address,
    sponsorAddress: row.sponsor_address ?? undefined,
    contractId: row.contract_id,
    functionName: row.function_name,
    args: row.args,
    result: row.result,
    events: row.events ?? undefined,
  }));
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
  const rows = await store
    .selectFrom('recorded_calls')
    .selectAll()
    .where('contract_id', 'in', listed(contractIds))
    .execute();
  return new Map(rows.map((row) => [row.contract_id, { units: row.units, leftOut: row.left_out === 1 }]));
}

export async function writeRecorded(store: StoreWriter, recorded: ReadonlyMap<string, Recorded>): Promise<void> {
  const rows = [...recorded].map(([contractId, { units, leftOut }]) => ({
    contract_id: contractId,
    units,
    left_out: leftOut ? (1 as const) : (0 as const),
  }));
  await insertRows(store, 'recorded_calls', rows, (conflict) =>
    conflict.doUpdateSet((eb) => ({ units: eb.ref('excluded.units'), left_out: eb.ref('excluded.left_out') })),
  );
}
