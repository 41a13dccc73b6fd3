// Reads metadata documents in data: URIs, and queues those that must be fetched.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { NewJob } from '#model/job.ts';
import type { Localization } from '#model/metadata.ts';
import { fillLocale, fillTokenNumber, hasLocalePlaceholder } from '#sip-016/fill-template.ts';
import { type NormalizedDocument, normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';
import { parseDocument } from '#sip-016/parse-document.ts';
import { DEFAULT_LOCALE, deleteDocuments, type NewDocument } from '#store/documents.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { insertJobs } from '#store/jobs.ts';
import type { Token } from '#store/tokens.ts';
import { resolveUri } from '#uri/resolve-uri.ts';
import { storeDocuments } from './store-documents.ts';

/** A token's default document or why it has none, or the job that fetches it. */
export type DocumentPlan =
  | { readonly state: 'complete' | 'partial'; readonly document: NewDocument }
  | { readonly state: 'queued'; readonly job: NewJob };

export function planDocument(token: Token): DocumentPlan {
  const { tokenId } = token;
  const uri = documentUri(token);
  const result = uri === undefined ? fail('no-uri') : readInline(uri, token);
  if (result === undefined)
    return { state: 'queued', job: { kind: 'fetch-document', tokenId, locale: DEFAULT_LOCALE } };
  const document = { tokenId, locale: DEFAULT_LOCALE, uri, result };
  return { state: isFailure(result) ? 'partial' : 'complete', document };
}

/** Reads or queues the documents of the locales that a default document declares. */
export async function beginLocales(store: StoreWriter, token: Token, localization: Localization): Promise<void> {
  const { tokenId } = token;
  const { locales, failures } = servableLocales(localization);
  await deleteDocuments(store, tokenId, { except: [DEFAULT_LOCALE, ...locales, ...failures.keys()] });
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

/** Undefined for a token without a URI. */
export function documentUri({ values: { tokenUri }, tokenNumber }: Token): string | undefined {
  return tokenUri === undefined ? undefined : fillTokenNumber(tokenUri, tokenNumber);
}

export function localeUri(localization: Localization, locale: string, token: Token): string {
  return fillTokenNumber(fillLocale(localization.uri, locale), token.tokenNumber);
}

export function readDocument(bytes: Uint8Array, token: Token): NormalizedDocument | Failure {
  const parsed = parseDocument(bytes);
  return isFailure(parsed) ? parsed : normalizeDocument(parsed.json, token.tokenNumber);
}

/** Undefined if the document must be fetched. */
function readInline(uri: string, token: Token): NormalizedDocument | Failure | undefined {
  const resolved = resolveUri(uri);
  if (isFailure(resolved)) return resolved;
  return resolved.kind === 'remote' ? undefined : readDocument(resolved.bytes, token);
}
