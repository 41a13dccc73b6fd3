// Records watched calls of new blocks, and deploys that make such calls, with the contracts that they may change.

import { readCalls } from '#clarity/packed-calls.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertCalls, type NewCall, type Recorded, readRecorded, writeRecorded } from '#store/replay/calls.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import type { AddedBlock } from '../added-block.ts';
import type { WatchList } from './watch-list.ts';

export interface RecordOptions {
  readonly watchList: WatchList;
  /** Maximum number of calls recorded per contract, counted in units of a kilobyte. */
  readonly maxCalls: number;
  /** Ids of blocks that came behind blocks above them. */
  readonly late: ReadonlySet<number>;
  /** True if blocks are missing, or were before these came. */
  readonly hasGap: boolean;
}

const UNIT_BYTES = 1_000;
const NO_BYTES = Buffer.alloc(0);

/** Takes blocks in arrival order. The code of their deploys, and the functions it may call, must be stored already. */
export async function recordCalls(
  store: StoreWriter,
  added: readonly AddedBlock[],
  { watchList, maxCalls, late, hasGap }: RecordOptions,
): Promise<void> {
  const recorded: NewCall[] = [];
  watchList.begin(
    added.flatMap(({ event }) => event.deploys),
    hasGap,
  );
  for (const { event, block } of added) {
    const { blockId } = block;
    // Adds the block's deploys first, so that no call in it is missed.
    for (const deploy of event.deploys.toSorted((left, right) => left.txIndex - right.txIndex)) {
      const stateContracts = await watchList.addDeploy(store, deploy, late.has(blockId));
      if (stateContracts.length > 0) recorded.push({ ...asCall(deploy), blockId, stateContracts });
    }
    for (const call of readCalls(event.calls)) {
      const matched = watchList.match(store, call);
      // Nearly all calls are rejected synchronously: awaiting each would double the cost.
      const stateContracts = matched instanceof Promise ? await matched : matched;
      if (stateContracts.length > 0) recorded.push({ ...call.unpack(), blockId, stateContracts });
    }
  }
  await watchList.flush(store);
  if (recorded.length === 0) return;
  await insertCalls(store, await withinLimit(store, recorded, maxCalls));
  await queueEvaluations(store, [...new Set(recorded.flatMap(({ stateContracts }) => stateContracts))]);
}

function asCall({
  txId,
  txIndex,
  senderAddress,
  sponsorAddress,
  contractId,
  events,
}: ContractDeploy): Omit<NewCall, 'blockId' | 'stateContracts'> {
  const call = { txId, txIndex, senderAddress, sponsorAddress, contractId, functionName: DEPLOY, events };
  return { ...call, args: NO_BYTES, result: NO_BYTES };
}

/** Drops calls of contracts that have enough recorded. */
async function withinLimit(store: StoreWriter, calls: readonly NewCall[], maxCalls: number): Promise<NewCall[]> {
  const contractIds = new Set(calls.flatMap(({ stateContracts }) => stateContracts));
  const recorded = new Map<string, Recorded>(await readRecorded(store, [...contractIds]));
  const kept = calls.filter(({ stateContracts, args, result }) => {
    const units = Math.ceil((args.length + result.length + 1) / UNIT_BYTES);
    const isFull = (contractId: string) => (recorded.get(contractId)?.units ?? 0) + units > maxCalls;
    const leftOut = stateContracts.some(isFull);
    for (const contractId of stateContracts) {
      const known = recorded.get(contractId) ?? { units: 0, leftOut: false };
      recorded.set(contractId, leftOut ? { ...known, leftOut } : { ...known, units: known.units + units });
    }
    return !leftOut;
  });
  await writeRecorded(store, recorded);
  return kept;
}
