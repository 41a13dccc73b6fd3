// Finds the data for a job in the kept index, which a rebuild has set aside. Skips data that may have changed on the
// chain.
import type { DocumentKey } from '#model/metadata.ts';
import { isNotifiedAbove } from '#store/chain/notifications.ts';
import type { EarlierIndex } from '#store/earlier-index.ts';
import type { StoreReader } from '#store/index-database.ts';
import { hasDocumentOf } from '#store/tokens/documents.ts';
import { readTokenKey } from '#store/tokens/tokens.ts';

type Kept = EarlierIndex | undefined;

/** Returns a token's document from the kept index, unless this index has a document from the same URI to refresh. */
export async function takeDocument(store: StoreReader, kept: Kept, key: DocumentKey, uri: string) {
  if (kept === undefined || (await hasDocumentOf(store, key, uri))) return undefined;
  const token = await readUnnotified(store, kept, key.tokenId);
  return token && kept.document(token, key.locale, uri);
}

/** Returns the copy of an image from the kept index. */
export async function takeImage(store: StoreReader, kept: Kept, tokenId: number, uri: string) {
  if (kept === undefined) return undefined;
  const token = await readUnnotified(store, kept, tokenId);
  return token && kept.image(uri);
}

/** Returns the key of a token; undefined if blocks above the kept index's tip notify about the contract. */
async function readUnnotified(store: StoreReader, kept: EarlierIndex, tokenId: number) {
  const token = await readTokenKey(store, tokenId);
  const isNotified = token && (await isNotifiedAbove(store, token.contractId, kept.tip?.height ?? -1));
  return isNotified ? undefined : token;
}
