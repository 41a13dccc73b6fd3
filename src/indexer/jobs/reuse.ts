// Finds the document or the image of a job in the old index, which a rebuild has set aside. Skips tokens that newer
// blocks notify about.
import type { DocumentKey } from '#model/metadata.ts';
import { isNotifiedAbove } from '#store/chain/notifications.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { OldIndex } from '#store/old-index.ts';
import { hasDocumentOf } from '#store/tokens/documents.ts';
import { readTokenKey } from '#store/tokens/tokens.ts';

/** Returns a token's document from the old index, unless this index has a document from the same URI to refresh. */
export async function reuseDocument(store: StoreReader, oldIndex: OldIndex | undefined, key: DocumentKey, uri: string) {
  if (oldIndex === undefined || (await hasDocumentOf(store, key, uri))) return undefined;
  const token = await readUnnotified(store, oldIndex, key.tokenId);
  return token && oldIndex.document(token, key.locale, uri);
}

/** Returns the copy of an image from the old index. */
export async function reuseImage(store: StoreReader, oldIndex: OldIndex | undefined, tokenId: number, uri: string) {
  if (oldIndex === undefined) return undefined;
  const token = await readUnnotified(store, oldIndex, tokenId);
  return token && oldIndex.image(uri);
}

/** Returns the key of a token; undefined if blocks above the old index's tip notify about the contract. */
async function readUnnotified(store: StoreReader, oldIndex: OldIndex, tokenId: number) {
  const token = await readTokenKey(store, tokenId);
  const isNotified = token && (await isNotifiedAbove(store, token.contractId, oldIndex.tipHeight ?? -1));
  return isNotified ? undefined : token;
}
