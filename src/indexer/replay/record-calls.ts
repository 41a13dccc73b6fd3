// Finds and records watched calls in blocks, and deploys that make such calls, with the contracts that they may change.

import { readCalls } from '#clarity/packed-calls.ts';
import { DEPLOY } from '#clarity/state-names.ts';
import type { ContractDeploy } from '#model/chain-event.ts';
import type { StoreWriter } from '#store/index-database.ts';
import {
  findCallIds,
  insertCallStates,
  insertCalls,
  type NewCall,
  type Recorded,
  readRecorded,
  writeRecorded,
} from '#store/replay/calls.ts';
import { queueEvaluations } from '#store/replay/evaluation-inputs.ts';
import { doubtOlder } from '#store/tokens/doubted-readings.ts';
import type { AddedBlock } from '../added-block.ts';
import type { WatchList } from './watch-list.ts';

const UNIT_BYTES = 1_000;
const NO_BYTES = Buffer.alloc(0);

/**
 * Takes blocks in arrival order; `late`: ids of those that came behind blocks above them. The code of their deploys,
 * and the functions it may call, must be stored already.
 */
export async function findCalls(
  store: StoreWriter,
  blocks: readonly AddedBlock[],
  watchList: WatchList,
  late: ReadonlySet<number>,
): Promise<NewCall[]> {
  const found: NewCall[] = [];
  for (const { event, block } of blocks) {
    const { blockId } = block;
    // Adds the block's deploys first, so that no call in it is missed.
    for (const deploy of event.deploys.toSorted((left, right) => left.txIndex - right.txIndex)) {
      const stateContracts = await watchList.addDeploy(store, deploy, late.has(blockId));
      if (stateContracts.length > 0) found.push({ ...asCall(deploy), blockId, stateContracts });
    }
    for (const call of readCalls(event.calls)) {
      const matched = watchList.match(store, call);
      // Nearly all calls are rejected synchronously: awaiting each would double the cost.
      const stateContracts = matched instanceof Promise ? await matched : matched;
      if (stateContracts.length > 0) found.push({ ...call.unpack(), blockId, stateContracts });
    }
  }
  await watchList.flush(store);
  return found;
}

/**
 * Records calls, and what known ones may change beyond what was known. Returns how many calls are new. `maxCalls`:
 * maximum number recorded per contract, in units of a kilobyte. Adds contracts with more calls to `limited`.
 */
export async function recordCalls(
  store: StoreWriter,
  calls: readonly NewCall[],
  maxCalls: number,
  limited = new Set<string>(),
): Promise<number> {
  if (calls.length === 0) return 0;
  const known = await findCallIds(store, [...new Set(calls.map(({ blockId }) => blockId))]);
  const idOf = ({ blockId, txIndex }: NewCall) => known.get(blockId)?.get(txIndex);
  await insertCallStates(store, calls, idOf);
  const added = calls.filter((call) => idOf(call) === undefined);
  const kept = await withinLimit(store, added, maxCalls, limited);
  await insertCalls(store, kept);
  const changed = added.flatMap(({ stateContracts, blockId }) => stateContracts.map((id) => [id, blockId] as const));
  await doubtOlder(store, changed);
  await queueEvaluations(store, [...new Set(added.flatMap(({ stateContracts }) => stateContracts))]);
  return kept.length;
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
async function withinLimit(store: StoreWriter, calls: readonly NewCall[], maxCalls: number, limited: Set<string>) {
  const contractIds = new Set(calls.flatMap(({ stateContracts }) => stateContracts));
  const recorded = new Map<string, Recorded>(await readRecorded(store, [...contractIds]));
  const kept = calls.filter(({ stateContracts, args, result }) => {
    const units = Math.ceil((args.length + result.length + 1) / UNIT_BYTES);
    const isFull = (contractId: string) => (recorded.get(contractId)?.units ?? 0) + units > maxCalls;
    const leftOut = stateContracts.some(isFull);
    for (const contractId of stateContracts) {
      if (leftOut) limited.add(contractId);
      const known = recorded.get(contractId) ?? { units: 0, leftOut: false };
      recorded.set(contractId, leftOut ? { ...known, leftOut } : { ...known, units: known.units + units });
    }
    return !leftOut;
  });
  await writeRecorded(store, recorded);
  return kept;
}
