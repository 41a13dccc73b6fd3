// Queries about recorded contract calls: those that may have changed what a token's getters read.
import type { ContractCall } from '#model/chain-event.ts';
import { hashFromBlob, hashToBlob } from './hashes.ts';
import type { StoreReader, StoreWriter } from './index-database.ts';
import { inRuns, readInRuns } from './lists.ts';

export interface NewCall extends ContractCall {
  readonly blockId: number;
  /** Contracts whose watched variables it may write. */
  readonly stateContracts: readonly string[];
}

/** A recorded call on the canonical chain. */
export interface RecordedCall {
  readonly callId: number;
  readonly txId: string;
  readonly blockHeight: number;
  readonly burnBlockHeight: number;
  readonly txIndex: number;
  readonly senderAddress: string;
  readonly contractId: string;
  readonly functionName: string;
  /** As in the transaction: how many there are (u32), and each as a serialized Clarity value. */
  readonly args: Uint8Array;
  /** A serialized Clarity value. */
  readonly result: Uint8Array;
}

export async function insertCalls(store: StoreWriter, calls: readonly NewCall[]): Promise<void> {
  for (const run of inRuns(calls, 8)) {
    const rows = run.map((call) => ({
      block_id: call.blockId,
      tx_index: call.txIndex,
      tx_id: hashToBlob(call.txId),
      sender_address: call.senderAddress,
      contract_id: call.contractId,
      function_name: call.functionName,
      args: call.args,
      result: call.result,
    }));
    const inserted = await store.insertInto('call').values(rows).returning('call_id').execute();
    const states = run.flatMap(({ stateContracts }, index) =>
      stateContracts.map((contractId) => ({ contract_id: contractId, call_id: inserted[index]?.call_id as number })),
    );
    for (const some of inRuns(states, 2)) await store.insertInto('call_state').values(some).execute();
  }
}

/** The canonical calls that may have changed these contracts, each once, in no order. */
export async function readCallsOf(store: StoreReader, contractIds: readonly string[]): Promise<RecordedCall[]> {
  const rows = await readInRuns(contractIds, (run) =>
    store
      .selectFrom('call_state')
      .innerJoin('call', 'call.call_id', 'call_state.call_id')
      .innerJoin('block', 'block.block_id', 'call.block_id')
      .selectAll('call')
      .select(['block.height', 'block.burn_block_height'])
      .where('call_state.contract_id', 'in', run)
      .where('block.canonical', '=', 1)
      .execute(),
  );
  const byId = new Map(rows.map((row) => [row.call_id, row]));
  return [...byId.values()].map((row) => ({
    callId: row.call_id,
    txId: hashFromBlob(row.tx_id),
    blockHeight: row.height,
    burnBlockHeight: row.burn_block_height,
    txIndex: row.tx_index,
    senderAddress: row.sender_address,
    contractId: row.contract_id,
    functionName: row.function_name,
    args: row.args,
    result: row.result,
  }));
}

/** Whether a deploy is in a canonical block that was indexed with its calls. */
export async function hasRecordedCalls(store: StoreReader, deployId: number): Promise<boolean> {
  const row = await store
    .selectFrom('inclusion')
    .innerJoin('block', 'block.block_id', 'inclusion.block_id')
    .leftJoin('info', (join) => join.on('info.key', '=', 'calls_missing_up_to'))
    .select('block.block_id')
    .where('inclusion.deploy_id', '=', deployId)
    .where('block.canonical', '=', 1)
    .where((eb) => eb('block.block_id', '>', eb.cast<number>(eb.fn.coalesce('info.value', eb.val('0')), 'integer')))
    .executeTakeFirst();
  return row !== undefined;
}
