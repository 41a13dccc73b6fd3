// Route metadata/v1/ft/<principal>: SIP-010 token metadata, localized by ?locale= (service specification 4.1).
import { LOCALE_PATTERN } from '#model/locale.ts';
import type { MetadataDocument } from '#model/metadata.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { servableLocales } from '#sip-016/normalize-document.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';
import { DEFAULT_LOCALE } from '#store/documents.ts';
import type { Token } from '#store/tokens.ts';
import { type ErrorBody, fillPath, type Page, partSource, type RenderOptions, type Route } from './route.ts';
import { composeTokenAnswer, tokenAnswerSchema } from './token-answer.ts';
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

function render(facts: TokenFacts, options: RenderOptions): Page[] {
  const path = fillPath(tokenMetadata, { principal: facts.contract.contractId });
  const error = errorOf(facts.token);
  if (error !== undefined) return [{ kind: 'error', path, status: STATUS_NOT_READY, body: JSON.stringify(error) }];

  const byLocale = new Map(facts.documents.map((document) => [document.locale, document.document]));
  const base = byLocale.get(DEFAULT_LOCALE);
  const answer = JSON.stringify(composeTokenAnswer(facts, base, options));
  const variants = variantLocales(base).map((locale): Page => {
    const localized = locale === base?.localization?.default ? undefined : byLocale.get(locale);
    const variant = { kind: 'variant', path, parameter: 'locale', value: locale } as const;
    // Until its document is known, a locale has the default answer.
    if (base === undefined || localized === undefined) return { ...variant, body: answer };
    return { ...variant, body: JSON.stringify(composeTokenAnswer(facts, overlayLocale(base, localized), options)) };
  });
  return [{ kind: 'answer', path, body: answer }, ...variants];
}

/** Every declared locale that may be a path segment, and the default one even if the list lacks it. */
function variantLocales(document: MetadataDocument | undefined): string[] {
  const localization = document?.localization;
  if (localization === undefined) return [];
  const { default: ofDefault, locales } = localization;
  return servableLocales({ ...localization, locales: ofDefault === undefined ? locales : [ofDefault, ...locales] })
    .locales;
}

function errorOf(token: Token): ErrorBody | undefined {
  if (token.state === 'queued') return IN_PROGRESS;
  return token.state === 'error' ? { error: 'Token error', message: token.failure?.message ?? '' } : undefined;
}
