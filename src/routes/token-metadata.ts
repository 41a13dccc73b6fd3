// Route metadata/v1/ft/<principal>: SIP-010 token metadata, localized by ?locale= (service specification 4.1).
import { LOCALE_PATTERN } from '#model/locale.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { servableLocales } from '#sip-016/normalize-document.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';
import { DEFAULT_LOCALE, parseStored, type StoredDocument } from '#store/documents.ts';
import type { Token } from '#store/tokens.ts';
import { type ErrorBody, fillPath, type Page, partSource, type RenderOptions, type Route } from './route.ts';
import { composeTokenAnswer, type ShownDocument, tokenAnswerSchema } from './token-answer.ts';
import { type TokenFacts, tokens } from './tokens.ts';

/** For a token that has no answer yet, or none at all. */
const STATUS_NOT_READY = 422;

export const tokenMetadata: Route<TokenFacts> = {
  id: 'token-metadata',
  path: 'metadata/v1/ft/{principal}',
  summary: 'Fungible token metadata (SIP-010, SIP-016)',
  parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
  variants: [
    {
      name: 'locale',
      summary: 'A locale that the metadata document declares; the default one and the empty text answer as without it',
      forms: [{ pattern: `(${partSource(LOCALE_PATTERN)})`, value: '{1}' }],
      otherwise: { status: 422, body: { error: 'Locale not found' } },
    },
  ],
  ownErrors: [STATUS_NOT_READY],
  schema: tokenAnswerSchema,
  notFound: { status: 404, body: { error: 'Token not found' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'principal must be <contract address>.<contract name>' },
  },
  aboutTokens: true,

  subject: tokens,
  shows: ['contract', 'token'],
  render,
};

const IN_PROGRESS: ErrorBody = { error: 'Token metadata fetch in progress' };

/** One answer after the other, so that one document is parsed and one answer there at a time. */
function* render(facts: TokenFacts, options: RenderOptions): Generator<Page> {
  const path = fillPath(tokenMetadata, { principal: facts.contract.contractId });
  const error = errorOf(facts.token);
  if (error !== undefined) {
    yield { kind: 'error', path, status: STATUS_NOT_READY, body: JSON.stringify(error) };
    return;
  }
  const byLocale = new Map(facts.documents.map((document) => [document.locale, document]));
  const stored = byLocale.get(DEFAULT_LOCALE);
  const base = shownDocument(stored);
  const answer = JSON.stringify(composeTokenAnswer(facts, base, options));
  yield { kind: 'answer', path, body: answer };
  const localization = base?.document.localization;
  if (base === undefined || localization === undefined) return;
  // Those that are served, the default one included even if the list lacks it.
  for (const locale of servableLocales(localization, Buffer.byteLength(stored?.text ?? '')).locales) {
    const localized = locale === localization.default ? undefined : shownDocument(byLocale.get(locale));
    // Until its document is known, a locale has the default answer.
    const body =
      localized === undefined ? answer : JSON.stringify(composeTokenAnswer(facts, overlay(base, localized), options));
    yield { kind: 'variant', path, parameter: 'locale', value: locale, body };
  }
}

function shownDocument(stored: StoredDocument | undefined): ShownDocument | undefined {
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
