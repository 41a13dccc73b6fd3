// Records the watched calls in new blocks, and the deploys that call, with the contracts whose state they may change.
import { DEPLOY } from '#clarity/function-effects.ts';
import { readCalls } from '#clarity/packed-calls.ts';
import { insertCalls, type NewCall, type Recorded, readRecorded, writeRecorded } from '#store/calls.ts';
import { queueEvaluations } from '#store/evaluation-inputs.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../chain/canonical-chain.ts';
import type { WatchList } from './watch-list.ts';

export interface RecordOptions {
  readonly watchList: WatchList;
  /** The most calls that are recorded for a contract, with a kilobyte each. */
  readonly maxCalls: number;
  /** Of the highest block that was stored before these. */
  readonly highest: number;
}

const UNIT_BYTES = 1_000;
const NO_BYTES = Buffer.alloc(0);

/**
 * In chain order: what a deploy brings is watched from the next transaction on. Its code must be stored, and what it may
 * call.
 */
export async function recordCalls(
  store: StoreWriter,
  added: readonly AddedBlock[],
  { watchList, maxCalls, highest }: RecordOptions,
): Promise<void> {
  const recorded: NewCall[] = [];
  let top = highest;
  for (const { event, block } of added) {
    const isNewest = block.height > top;
    top = Math.max(top, block.height);
    const deploys = event.deploys.toSorted((left, right) => left.txIndex - right.txIndex);
    let next = 0;
    const deployUpTo = async (txIndex: number) => {
      for (let deploy = deploys[next]; deploy !== undefined && deploy.txIndex <= txIndex; deploy = deploys[++next]) {
        const stateContracts = await watchList.addDeploy(store, deploy, isNewest);
        if (stateContracts.length === 0) continue;
        const { txId, senderAddress, contractId } = deploy;
        const call = { txId, txIndex: deploy.txIndex, senderAddress, contractId, functionName: DEPLOY };
        recorded.push({ ...call, args: NO_BYTES, result: NO_BYTES, blockId: block.blockId, stateContracts });
      }
    };
    for (const call of readCalls(event.calls)) {
      if ((deploys[next]?.txIndex ?? Number.POSITIVE_INFINITY) <= call.txIndex) await deployUpTo(call.txIndex);
      const matched = watchList.match(store, call);
      // Nearly all come to nothing at once: waiting for each would cost as much again.
      const stateContracts = matched instanceof Promise ? await matched : matched;
      if (stateContracts.length === 0) continue;
      recorded.push({ ...call.unpack(), blockId: block.blockId, stateContracts });
    }
    await deployUpTo(Number.POSITIVE_INFINITY);
  }
  await watchList.flush(store);
  if (recorded.length === 0) return;
  await insertCalls(store, await withinLimit(store, recorded, maxCalls));
  await queueEvaluations(store, [...new Set(recorded.flatMap(({ stateContracts }) => stateContracts))]);
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
