// Reads the metadata documents that a token carries itself in data: URIs, and queues those that are elsewhere.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { NewJob } from '#model/job.ts';
import type { Localization } from '#model/metadata.ts';
import { fillLocale, fillTokenNumber, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import { type NormalizedDocument, normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { DEFAULT_LOCALE, forgetLocales, type NewDocument } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import type { Token } from '#store/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { storeDocuments } from './store-documents.ts';

type TokenKey = Pick<Token, 'tokenId' | 'tokenNumber'>;

/** What begins a token's documents: one that it carries itself, or why it has none, or a job that fetches it. */
export type DocumentPlan =
  | { readonly state: 'complete' | 'partial'; readonly document: NewDocument }
  | { readonly state: 'queued'; readonly job: NewJob };

export function planDocument(token: TokenKey, tokenUri: string | undefined): DocumentPlan {
  const { tokenId } = token;
  const uri = tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, token.tokenNumber);
  const result = uri === undefined ? fail('no-uri') : readInline(uri, token);
  if (result === undefined)
    return { state: 'queued', job: { kind: 'fetch-document', tokenId, locale: DEFAULT_LOCALE } };
  const document = { tokenId, locale: DEFAULT_LOCALE, uri, result };
  return { state: isFailure(result) ? 'partial' : 'complete', document };
}

/** Reads or queues the documents of the locales that a default document declares. */
export async function beginLocales(store: StoreWriter, token: TokenKey, localization: Localization): Promise<void> {
  const { tokenId } = token;
  const { locales, failures } = servableLocales(localization);
  await forgetLocales(store, tokenId, [...locales, ...failures.keys()]);
  const documents: NewDocument[] = [...failures].map(([locale, result]) => ({
    tokenId,
    locale,
    uri: undefined,
    result,
  }));
  const jobs: NewJob[] = [];
  for (const locale of locales) {
    // The default locale's answer is the default document's.
    if (locale === localization.default) continue;
    const uri = localeUri(localization, locale, token);
    const result = hasLocalePlaceholder(localization.uri) ? readInline(uri, token) : fail('no-locale-placeholder');
    if (result === undefined) jobs.push({ kind: 'fetch-document', tokenId, locale });
    else documents.push({ tokenId, locale, uri, result });
  }
  await storeDocuments(store, documents);
  await insertJobs(store, jobs);
}

/** Where the document of a locale is. */
export function localeUri(localization: Localization, locale: string, token: TokenKey): string {
  return fillTokenNumber(fillLocale(localization.uri, locale), token.tokenNumber);
}

/** The document in bytes, or why there is none. */
export function readDocument(bytes: Uint8Array, token: TokenKey): NormalizedDocument | Failure {
  const parsed = parseDocument(bytes);
  return isFailure(parsed) ? parsed : normalizeDocument(parsed.json, token.tokenNumber);
}

/** The document in a URI, why there is none, or undefined if it is elsewhere. */
function readInline(uri: string, token: TokenKey): NormalizedDocument | Failure | undefined {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  return resolved.kind === 'remote' ? undefined : readDocument(resolved.bytes, token);
}
