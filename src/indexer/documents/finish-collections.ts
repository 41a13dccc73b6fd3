// Sets the states of collections and their tokens after their values were read. All tokens of a collection may share
// values.
import { isFailure } from '#model/failure.ts';
import { isCollectionStandard, type NftMode, NO_NUMBER } from '#model/token.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { hasDocuments, queuedTokensOf, tokensInOrder, writeStateOfAll } from '#store/tokens/collections.ts';
import { markValuesRead, readTokensById, sharesAll, type Token, writeState } from '#store/tokens/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { finishTokens } from './finish-tokens.ts';
import { fetchesDocuments } from './read-documents.ts';

/** Sets the states of a collection and its tokens. Call this function once all values have been read, shared or not. */
export async function finishCollection(store: StoreWriter, collection: Token, nft: NftMode): Promise<void> {
  const { tokenId, deployId } = collection;
  await writeState(store, [tokenId], 'complete');
  const shared = resolveShared(collection);
  if (haveSameState(shared, nft) && !(await hasDocuments(store, deployId)))
    await writeStateOfAll(store, deployId, 'partial', isFailure(shared) ? shared : undefined);
  else
    for await (const page of tokensInOrder(store, deployId)) {
      const tokenIds = page.map((token) => token.tokenId);
      await finishTokens(store, tokenIds, nft);
    }
}

/** For a collection whose tokens share all values: sets the states of only its new tokens. It may have 50,000. */
export async function finishNewTokens(store: StoreWriter, collection: Token, nft: NftMode): Promise<void> {
  const tokenIds = await queuedTokensOf(store, collection.deployId);
  const shared = resolveShared(collection);
  if (haveSameState(shared, nft)) await writeState(store, tokenIds, 'partial', isFailure(shared) ? shared : undefined);
  else await finishTokens(store, tokenIds, nft);
}

/** True if all tokens get the same state: the shared URI is invalid, or documents are not fetched. */
function haveSameState(shared: ReturnType<typeof resolveShared>, nft: NftMode): boolean {
  if (shared === undefined) return false;
  return isFailure(shared) || (shared.kind === 'remote' && !fetchesDocuments(nft));
}

/** Sets the states of tokens, collections and their tokens after their values were read from a node or a token list. */
export async function finishReadTokens(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  if (tokenIds.length === 0) return;
  await markValuesRead(store, tokenIds);
  await finishAll(store, tokenIds, nft);
}

export async function finishAll(store: StoreWriter, tokenIds: readonly number[], nft: NftMode): Promise<void> {
  const tokens = await readTokensById(store, tokenIds);
  const isCollection = ({ standard, tokenNumber }: Token) =>
    isCollectionStandard(standard) && tokenNumber === NO_NUMBER;
  const singleIds = tokens.filter((token) => !isCollection(token)).map(({ tokenId }) => tokenId);
  await finishTokens(store, singleIds, nft);
  for (const collection of tokens.filter(isCollection)) await finishCollection(store, collection, nft);
}

/** Resolves the URI that all tokens share, perhaps with a placeholder; undefined if the tokens have different URIs. */
function resolveShared(collection: Token): ReturnType<typeof resolveUri> | undefined {
  const { tokenUri } = collection.values;
  return sharesAll(collection) && tokenUri !== undefined ? resolveUri(tokenUri) : undefined;
}
