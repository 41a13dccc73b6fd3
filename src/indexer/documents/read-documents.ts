// Reads metadata documents in data: URIs, and queues fetches of other documents. Stores documents and queues their
// images.

import { type Failure, fail, isFailure } from '#model/failure.ts';
import { DEFAULT_LOCALE } from '#model/locale.ts';
import type { Localization, MetadataDocument } from '#model/metadata.ts';
import { type NftMode, NO_NUMBER, type TokenState } from '#model/token.ts';
import { fillLocale, fillTokenNumber, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import {
  bytesPerLocale,
  type NormalizedDocument,
  normalizeDocument,
  servableLocales,
} from '#sip-016/normalize-document.ts';
import { type ParsedDocument, parseDocument } from '#sip-016/parse-document.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { numberedAmong } from '#store/tokens/collections.ts';
import {
  deleteDocumentsExcept,
  deleteJobsOfOtherImages,
  type NewDocument,
  writeDocuments,
} from '#store/tokens/documents.ts';
import type { Token } from '#store/tokens/tokens.ts';
import { insertJobs } from '#store/work/jobs.ts';
import { resolveUri } from '#uri/resolve-uri.ts';

/** Returns the state of a token, with the document in its data: URI, or the failure of an unusable URI. */
export function planDocument(
  token: Token,
  nft: NftMode,
): { readonly state: TokenState; readonly document?: NewDocument } {
  const { tokenId, tokenNumber } = token;
  const uri = documentUri(token);
  const isNumbered = tokenNumber !== NO_NUMBER;
  if (uri === undefined && isNumbered) return { state: 'partial' };
  const result = uri === undefined ? fail('no-uri') : readInline(uri, token);
  if (result === undefined) return { state: isNumbered && !fetchesDocuments(nft) ? 'partial' : 'queued' };
  const document = { tokenId, locale: DEFAULT_LOCALE, uri, result };
  return { state: isFailure(result) ? 'partial' : 'complete', document };
}

export function fetchesDocuments(nft: NftMode): boolean {
  return nft === 'documents' || nft === 'images';
}

/** Stores documents, and queues their images. */
export async function storeDocuments(store: StoreWriter, documents: readonly NewDocument[], nft: NftMode) {
  await deleteJobsOfOtherImages(store, documents);
  await writeDocuments(store, documents);
  const withImages = documents.filter(({ result }) => !isFailure(result) && result.document.image !== undefined);
  const tokenIds = withImages.map(({ tokenId }) => tokenId);
  const left = nft === 'images' ? new Set<number>() : await numberedAmong(store, tokenIds);
  const wanted = withImages.filter(({ tokenId }) => !left.has(tokenId));
  const jobs = wanted.map(({ tokenId, locale }) => ({ kind: 'fetch-image', tokenId, locale }) as const);
  await insertJobs(store, jobs);
}

/** Reads or queues a document for each locale that a default document declares. */
export async function beginLocales(store: StoreWriter, token: Token, document: MetadataDocument, nft: NftMode) {
  const { tokenId } = token;
  const { localization } = document;
  if (localization === undefined) return deleteDocumentsExcept(store, [tokenId], [DEFAULT_LOCALE]);
  const { locales, failures } = servableLocales(localization, storedBytes(document));
  const translated = locales.filter((locale) => locale !== localization.default);
  await deleteDocumentsExcept(store, [tokenId], [DEFAULT_LOCALE, ...translated, ...failures.keys()]);
  for (const [locale, result] of failures)
    await storeDocuments(store, [{ tokenId, locale, uri: undefined, result }], nft);
  const maxBytes = bytesPerLocale(locales.length);
  // Skips the default locale, because the default document is its document.
  for (const locale of translated) {
    const uri = localeUri(localization, locale, token);
    const result = hasLocalePlaceholder(localization.uri)
      ? readInline(uri, token, maxBytes)
      : fail('no-locale-placeholder');
    if (result === undefined) await insertJobs(store, [{ kind: 'fetch-document', tokenId, locale }]);
    else await storeDocuments(store, [{ tokenId, locale, uri: undefined, result }], nft);
  }
}

/** Returns the URI of a token's document; undefined for a token without a URI. */
export function documentUri({ values: { tokenUri }, tokenNumber }: Token): string | undefined {
  return tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, tokenNumber);
}

function localeUri(localization: Localization, locale: string, token: Token): string {
  return fillTokenNumber(fillLocale(localization.uri, locale), token.tokenNumber);
}

/** Returns the URI to fetch for a locale; undefined for a data: URI, or if all locales have the same URI. */
export function fetchedLocaleUri(localization: Localization, locale: string, token: Token): string | undefined {
  const uri = localeUri(localization, locale, token);
  const resolved = hasLocalePlaceholder(localization.uri) ? resolveUri(uri) : undefined;
  return resolved !== undefined && !isFailure(resolved) && resolved.kind === 'remote' ? uri : undefined;
}

/** Normalizes a parsed document. For a locale's document, `maxBytes` limits the stored size. */
export function readDocument(parsed: ParsedDocument, token: Token, maxBytes?: number): NormalizedDocument | Failure {
  const read = normalizeDocument(parsed.json, token.tokenNumber);
  const isTooLarge = maxBytes !== undefined && storedBytes(read.document) > maxBytes;
  return isTooLarge ? localeTooLarge(maxBytes) : read;
}

/** Reads the document in a data: URI; undefined for other URIs, which must be fetched. */
function readInline(uri: string, token: Token, maxBytes?: number): NormalizedDocument | Failure | undefined {
  if (maxBytes !== undefined && uri.length > maxBytes) return localeTooLarge(maxBytes);
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  if (resolved.kind === 'remote') return undefined;
  const parsed = parseDocument(resolved.bytes);
  return isFailure(parsed) ? parsed : readDocument(parsed, token, maxBytes);
}

function localeTooLarge(maxBytes: number): Failure {
  return fail(
    'too-large',
    `With this many locales, the document of each may have at most ${maxBytes} bytes, including its URI.`,
  );
}

function storedBytes(document: MetadataDocument): number {
  return Buffer.byteLength(JSON.stringify(document));
}
