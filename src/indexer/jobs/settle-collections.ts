// Settles the tokens of collections: what their own readings, and those that all share, make of each.
import { isFailure } from '#model/failure.ts';
import { gettersOf, type NftMode } from '#model/token.ts';
import { hasDocuments, tokensInOrder, writeStateOfAll } from '#store/collections.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import { readTokens, type Token, writeState } from '#store/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { fetchesDocuments } from './read-documents.ts';
import { settleValues } from './settle-values.ts';

/** After an evaluation, with what it read stored. */
export async function settleCollection(store: StoreWriter, collection: Token, nft: NftMode): Promise<void> {
  const { tokenId, deployId } = collection;
  await writeState(store, [tokenId], 'complete');
  if (!fetchesDocuments(nft) && isSharedAndRemote(collection) && !(await hasDocuments(store, deployId)))
    await writeStateOfAll(store, deployId, 'partial');
  else
    for await (const page of tokensInOrder(store, deployId)) {
      const tokenIds = page.map((token) => token.tokenId);
      await settleValues(store, tokenIds, nft);
    }
}

/** Settles new tokens of collections that share all that is read, and queues the evaluation of others. */
export async function queueCollections(store: StoreWriter, deployIds: readonly number[], nft: NftMode): Promise<void> {
  if (nft === 'none') return;
  for (const collection of (await readTokens(store, deployIds)).values()) {
    if (collection.state === 'complete' && sharesAll(collection)) await settleCollection(store, collection, nft);
    else await insertJobs(store, [{ kind: 'evaluate-token', tokenId: collection.tokenId }]);
  }
}

function sharesAll({ standard, readings }: Token): boolean {
  return gettersOf(standard).every((getter) => readings.some((reading) => reading.getter === getter));
}

/** All have the same URI but for their number, and their documents are elsewhere: they need no look one by one. */
function isSharedAndRemote(collection: Token): boolean {
  const { tokenUri } = collection.values;
  if (!sharesAll(collection) || tokenUri === undefined) return false;
  const resolved = resolveUri(tokenUri);
  return isFailure(resolved) || resolved.kind === 'remote';
}
