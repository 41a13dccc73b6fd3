// Finishes tokens of collections with their own and the shared readings.
import { isFailure } from '#model/failure.ts';
import { isCollectionStandard, type NftMode, NO_NUMBER } from '#model/token.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { hasDocuments, queuedTokensOf, tokensInOrder, writeStateOfAll } from '#store/tokens/collections.ts';
import { markValuesRead, readTokensById, sharesAll, type Token, writeState } from '#store/tokens/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { finishTokens } from './finish-tokens.ts';
import { fetchesDocuments } from './read-documents.ts';

/** Called after the shared values were read, or all values of each token. */
export async function finishCollection(store: StoreWriter, collection: Token, nft: NftMode): Promise<void> {
  const { tokenId, deployId } = collection;
  await writeState(store, [tokenId], 'complete');
  const shared = resolveShared(collection);
  if (needsNoLook(shared, nft) && !(await hasDocuments(store, deployId)))
    await writeStateOfAll(store, deployId, 'partial', isFailure(shared) ? shared : undefined);
  else
    for await (const page of tokensInOrder(store, deployId)) {
      const tokenIds = page.map((token) => token.tokenId);
      await finishTokens(store, tokenIds, nft);
    }
}

/** Finishes new tokens of a collection whose values are all shared: one of 50,000 tokens writes only its own row. */
export async function finishNewTokens(store: StoreWriter, collection: Token, nft: NftMode): Promise<void> {
  const tokenIds = await queuedTokensOf(store, collection.deployId);
  const shared = resolveShared(collection);
  if (needsNoLook(shared, nft)) await writeState(store, tokenIds, 'partial', isFailure(shared) ? shared : undefined);
  else await finishTokens(store, tokenIds, nft);
}

/** True if nothing is read of each token: its URI is invalid or is not to be fetched. */
function needsNoLook(shared: ReturnType<typeof resolveShared>, nft: NftMode): boolean {
  if (shared === undefined) return false;
  return isFailure(shared) || (shared.kind === 'remote' && !fetchesDocuments(nft));
}

/** Finishes fungible tokens, collections and their tokens after a read from a node or a token list. */
export async function finishReadTokens(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  if (tokenIds.length === 0) return;
  await markValuesRead(store, tokenIds, Date.now());
  await finishAll(store, tokenIds, nft);
}

export async function finishAll(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  const tokens = await readTokensById(store, tokenIds);
  const isCollection = ({ standard, tokenNumber }: Token) =>
    isCollectionStandard(standard) && tokenNumber === NO_NUMBER;
  const others = tokens.filter((token) => !isCollection(token)).map(({ tokenId }) => tokenId);
  await finishTokens(store, others, nft);
  for (const collection of tokens.filter(isCollection)) await finishCollection(store, collection, nft);
}

/** The resolved URI template if all tokens share one; then tokens need not be finished one by one. */
function resolveShared(collection: Token): ReturnType<typeof resolveUri> | undefined {
  const { tokenUri } = collection.values;
  return sharesAll(collection) && tokenUri !== undefined ? resolveUri(tokenUri) : undefined;
}
