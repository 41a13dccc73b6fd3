// Records the watched calls in new blocks, and the deploys that call, with the contracts whose state they may change.

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
  /** The most calls that are recorded for a contract, with a kilobyte each. */
  readonly maxCalls: number;
  /** The height of the highest block whose parent was not known before these came. */
  readonly gap: number | undefined;
}

const UNIT_BYTES = 1_000;
const NO_BYTES = Buffer.alloc(0);

/** In the order in which the blocks came. The code of their deploys must be stored, and what it may call. */
export async function recordCalls(
  store: StoreWriter,
  added: readonly AddedBlock[],
  { watchList, maxCalls, gap }: RecordOptions,
): Promise<void> {
  const recorded: NewCall[] = [];
  for (const { event, block } of added) {
    const { blockId } = block;
    // First what the block's deploys bring, so that no call in it is missed.
    for (const deploy of event.deploys.toSorted((left, right) => left.txIndex - right.txIndex)) {
      const stateContracts = await watchList.addDeploy(store, deploy, gap !== undefined && block.height < gap);
      if (stateContracts.length > 0) recorded.push({ ...asCall(deploy), blockId, stateContracts });
    }
    for (const call of readCalls(event.calls)) {
      const matched = watchList.match(store, call);
      // Nearly all come to nothing at once: waiting for each would cost as much again.
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

/** Without the calls of contracts of which enough is recorded. */
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
