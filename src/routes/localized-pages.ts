// Renders the responses with a token's metadata: the default response, and one for each locale. For a token without
// values, renders the error.

import { DEFAULT_LOCALE, LOCALE_PATTERN } from '#model/locale.ts';
import { partSource } from '#serving/rules.ts';
import { servableLocales } from '#sip-016/normalize-document.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';
import { parseStored, type StoredDocument } from '#store/tokens/documents.ts';
import type { Token } from '#store/tokens/tokens.ts';
import type { ErrorBody, Page, RouteError, VariantParameter } from './route.ts';
import type { ShownDocument } from './token-response.ts';

/** The status of the response to a request for a token that has neither metadata nor values. */
export const STATUS_NOT_READY = 422;

export const TOKEN_NOT_FOUND: RouteError = { status: 404, body: { error: 'Token not found' } };

export const BAD_PRINCIPAL: RouteError = {
  status: 400,
  body: { error: 'Bad Request', message: 'principal must be <contract address>.<contract name>' },
};

export const LOCALE_VARIANT: VariantParameter = {
  name: 'locale',
  summary: 'A locale that the metadata document declares; the default locale and an empty value have no effect',
  pattern: `(${partSource(LOCALE_PATTERN)})`,
  otherwise: { status: 422, body: { error: 'Locale not found' } },
};

const IN_PROGRESS: ErrorBody = { error: 'Token metadata fetch in progress' };

/** Yields the responses one at a time, so that memory holds one parsed document and one response. */
export function* localizedPages(
  path: string,
  token: Token,
  documents: readonly StoredDocument[],
  compose: (shown: ShownDocument | undefined) => object,
): Generator<Page> {
  const error = errorOf(token);
  if (error !== undefined) {
    yield { path, status: STATUS_NOT_READY, body: JSON.stringify(error) };
    return;
  }
  const byLocale = new Map(documents.map((document) => [document.locale, document]));
  const stored = byLocale.get(DEFAULT_LOCALE);
  const base = shownDocument(stored);
  const response = JSON.stringify(compose(base));
  yield { path, body: response };
  const localization = base?.document.localization;
  if (base === undefined || localization === undefined) return;
  // The default locale gets a response even if the document does not list it.
  for (const locale of servableLocales(localization, Buffer.byteLength(stored?.text ?? '')).locales) {
    const localized = locale === localization.default ? undefined : shownDocument(byLocale.get(locale));
    // A locale whose document was not fetched yet has the default response.
    const body = localized === undefined ? response : JSON.stringify(compose(overlay(base, localized)));
    yield { path, variant: ['locale', locale], body };
  }
}

export function shownDocument(stored: StoredDocument | undefined): ShownDocument | undefined {
  return stored?.text === undefined ? undefined : { document: parseStored(stored.text), image: stored.image };
}

function overlay(base: ShownDocument, localized: ShownDocument): ShownDocument {
  const document = overlayLocale(base.document, localized.document);
  return { document, image: localized.document.image === undefined ? base.image : localized.image };
}

function errorOf(token: Token): ErrorBody | undefined {
  if (token.state === 'queued') return IN_PROGRESS;
  return token.state === 'error' ? { error: 'Token error', message: token.failure?.message ?? '' } : undefined;
}
