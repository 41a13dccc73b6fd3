// Records the watched calls in new blocks, with the contracts whose state they may change.
import { readCalls } from '#clarity/packed-calls.ts';
import { insertCalls, type NewCall } from '#store/calls.ts';
import type { StoreWriter } from '#store/index-database.ts';
import type { AddedBlock } from '../chain/canonical-chain.ts';
import type { WatchList } from './watch-list.ts';

/** In chain order: what a deploy brings is watched from the next transaction on. Its code must be stored. */
export async function recordCalls(
  store: StoreWriter,
  watchList: WatchList,
  added: readonly AddedBlock[],
): Promise<void> {
  const recorded: NewCall[] = [];
  for (const { event, block } of added) {
    watchList.height = block.height;
    const deploys = event.deploys.toSorted((left, right) => left.txIndex - right.txIndex);
    let next = 0;
    const deployUpTo = async (txIndex: number) => {
      for (let deploy = deploys[next]; deploy !== undefined && deploy.txIndex <= txIndex; deploy = deploys[++next])
        await watchList.addDeploy(store, deploy);
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
  await insertCalls(store, recorded);
}
