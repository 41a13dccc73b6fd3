// Route metadata/v1/ft/<principal>: the metadata of a fungible token (SIP-010, SIP-016). `?locale=` selects a localized
// document.

import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { BAD_PRINCIPAL, LOCALE_VARIANT, localizedPages, STATUS_NOT_READY, TOKEN_NOT_FOUND } from './localized-pages.ts';
import type { Route } from './route.ts';
import { composeTokenResponse, tokenResponseSchema } from './token-response.ts';
import { type CollectionFacts, isCollectionFacts, type TokenFacts, tokens } from './tokens.ts';

export const tokenMetadata: Route<TokenFacts | CollectionFacts> = {
  id: 'token-metadata',
  path: 'metadata/v1/ft/{principal}',
  summary: 'Fungible token metadata (SIP-010, SIP-016)',
  parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
  variants: [LOCALE_VARIANT],
  fileErrors: [STATUS_NOT_READY],
  schema: tokenResponseSchema,
  notFound: TOKEN_NOT_FOUND,
  badRequest: BAD_PRINCIPAL,
  inBuilds: 'ft',

  subject: tokens,

  *render(facts, options) {
    if (isCollectionFacts(facts)) return;
    const path = fillPath(tokenMetadata, { principal: facts.contract.contractId });
    yield* localizedPages(path, facts.token, facts.documents, (shown) => composeTokenResponse(facts, shown, options));
  },
};
