// Queues evaluations in the VM for new tokens, and for collections with new tokens or a higher `--nft` mode. If inputs
// of an evaluation change, `store/replay/evaluation-inputs.ts` queues it again. Triggers in `store/schema/work.ts`
// queue the tokens of a contract whose code changed.

import { COLLECTION_STANDARDS, isCollectionStandard, NFT_MODES, type NftMode } from '#model/token.ts';
import { readDeployBlock } from '#store/chain/deploys.ts';
import { type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import { evaluatedAmong } from '#store/replay/evaluation-inputs.ts';
import { numberedDocumentsWithoutImage } from '#store/tokens/due-documents.ts';
import { insertTokens, readTokens, sharesAll } from '#store/tokens/tokens.ts';
import { insertJobs, queueFetches } from '#store/work/jobs.ts';
import { finishCollection, finishNewTokens } from '../documents/finish-collections.ts';

/** Queues the evaluation of tokens that the VM has not evaluated yet. Adds tokens that are not stored yet. */
export async function queueNew(store: StoreWriter, contracts: readonly ServedContract[], nft: NftMode): Promise<void> {
  await insertTokens(store, contracts);
  const deployIds = contracts.map(({ deployId }) => deployId);
  const tokens = [...(await readTokens(store, deployIds)).values()];
  const wanted = tokens.filter(({ standard }) => nft !== 'none' || !isCollectionStandard(standard));
  // Checks evaluations instead of readings, because a token that an API reported first may have values without an
  // evaluation.
  const evaluated = await evaluatedAmong(
    store,
    wanted.map(({ tokenId }) => tokenId),
  );
  const unread = wanted.filter(
    ({ tokenId, state, readings }) => !evaluated.has(tokenId) || (state === 'queued' && readings.length === 0),
  );
  const jobs = unread.map(({ tokenId }) => ({ kind: 'evaluate-token', tokenId }) as const);
  await insertJobs(store, jobs);
}

/** Sets the states of collections' new tokens if the tokens share all values. Otherwise queues an evaluation. */
export async function queueNewTokens(store: StoreWriter, deployIds: readonly number[], nft: NftMode): Promise<void> {
  if (nft === 'none') return;
  for (const collection of (await readTokens(store, deployIds)).values()) {
    if (collection.state === 'complete' && sharesAll(collection)) await finishNewTokens(store, collection, nft);
    else if ((await readDeployBlock(store, collection.deployId)) !== undefined)
      await insertJobs(store, [{ kind: 'evaluate-token', tokenId: collection.tokenId }]);
  }
}

/** Queues more reads for known collections if the `--nft` mode is higher than in the last run. */
export async function queueReadMore(store: Store, nft: NftMode): Promise<void> {
  const { nftMode: before } = await readInfo(store);
  if (nft === before) return;
  // Stores a lower mode too. Then a later run with a higher mode reads what was skipped in the meantime.
  if (NFT_MODES.indexOf(nft) < NFT_MODES.indexOf(before)) return writeInfo(store, { nftMode: nft });
  for await (const page of servedContracts(store, COLLECTION_STANDARDS)) {
    const deployIds = page.map(({ deployId }) => deployId);
    for (const collection of (await readTokens(store, deployIds)).values())
      await store.transaction().execute(async (transaction) => {
        if (collection.state === 'complete') await finishCollection(transaction, collection, nft);
        else await queueNewTokens(transaction, [collection.deployId], nft);
      });
  }
  await store.transaction().execute(async (transaction) => {
    if (nft === 'images') await queueFetches(transaction, 'fetch-image', numberedDocumentsWithoutImage(transaction));
    await writeInfo(transaction, { nftMode: nft });
  });
}
