// Queues evaluations in the VM: of new tokens, and of collections that grew or are read further.
// `store/replay/evaluation-inputs.ts` queues those again whose inputs changed.

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

/** Queues the evaluation of served tokens without one: new tokens, and those that a fork had removed. */
export async function queueNew(store: StoreWriter, contracts: readonly ServedContract[], nft: NftMode): Promise<void> {
  await insertTokens(store, contracts);
  const deployIds = contracts.map(({ deployId }) => deployId);
  const tokens = [...(await readTokens(store, deployIds)).values()];
  const wanted = tokens.filter(({ standard }) => nft !== 'none' || !isCollectionStandard(standard));
  // Those for which a node or a list has values have not been evaluated either, if an API told of them first.
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

/** Finishes new tokens of collections whose values are all shared, and queues the evaluation of others. */
export async function queueNewTokens(store: StoreWriter, deployIds: readonly number[], nft: NftMode): Promise<void> {
  if (nft === 'none') return;
  for (const collection of (await readTokens(store, deployIds)).values()) {
    if (collection.state === 'complete' && sharesAll(collection)) await finishNewTokens(store, collection, nft);
    else if ((await readDeployBlock(store, collection.deployId)) !== undefined)
      await insertJobs(store, [{ kind: 'evaluate-token', tokenId: collection.tokenId }]);
  }
}

/** Reads more of the collections that are known, if `--nft` asks for more than before. */
export async function queueReadMore(store: Store, nft: NftMode): Promise<void> {
  const { nftMode: before } = await readInfo(store);
  if (nft === before) return;
  // What this run leaves alone is for the next one that goes further.
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
