// Routes metadata/v1/nft/<principal>/<number> and metadata/v1/sft/…: metadata of a collection's token, localized by
// ?locale= (SIP-009, SIP-013, SIP-016).

import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { type CollectionStandard, kindOf, TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { fillPath } from '#serving/layout.ts';
import { BAD_COLLECTION_REQUEST } from './list-pages.ts';
import { LOCALE_VARIANT, localizedPages, STATUS_NOT_READY, TOKEN_NOT_FOUND } from './localized-pages.ts';
import { type NumberedFacts, numberedTokens } from './numbered-tokens.ts';
import type { Described, Page, Route, Zod } from './route.ts';
import type { RenderOptions } from './subject.ts';
import { composeShown, metadataSchema, type ShownDocument, shownUri } from './token-answer.ts';

const nonFungibleSchema = (z: Zod) =>
  z.strictObject({ token_uri: z.string().optional(), metadata: metadataSchema(z).optional() });

const semiFungibleSchema = (z: Zod) =>
  z.strictObject({
    token_uri: z.string().optional(),
    decimals: z.int().nonnegative().optional(),
    total_supply: z.string().regex(/^\d+$/).optional().describe('In the smallest unit'),
    metadata: metadataSchema(z).optional(),
  });

/** An answer of either route: what a non-fungible token lacks is optional. */
export type NumberedAnswer = Described<typeof semiFungibleSchema>;

export const nftMetadata = routeOf('sip-009', {
  id: 'nft-metadata',
  path: 'metadata/v1/nft/{principal}/{token_id}',
  summary: 'Non-fungible token metadata (SIP-009, SIP-016)',
  schema: nonFungibleSchema,
});

export const sftMetadata = routeOf('sip-013', {
  id: 'sft-metadata',
  path: 'metadata/v1/sft/{principal}/{token_id}',
  summary: 'Semi-fungible token metadata (SIP-013, SIP-016)',
  schema: semiFungibleSchema,
});

function routeOf(
  standard: CollectionStandard,
  own: Pick<Route, 'id' | 'path' | 'summary' | 'schema'>,
): Route<NumberedFacts> {
  return {
    ...own,
    parameters: [
      { name: 'principal', pattern: PRINCIPAL_PATTERN },
      { name: 'token_id', pattern: TOKEN_NUMBER_PATTERN },
    ],
    variants: [LOCALE_VARIANT],
    ownErrors: [STATUS_NOT_READY],
    notFound: TOKEN_NOT_FOUND,
    badRequest: BAD_COLLECTION_REQUEST,
    about: kindOf(standard),
    subject: numberedTokens,
    render: (facts, options) => (facts.standard === standard ? pagesOf(own, facts, options) : []),
  };
}

function pagesOf(route: Pick<Route, 'path'>, facts: NumberedFacts, options: RenderOptions): Generator<Page> {
  const { contract, token, documents } = facts;
  const path = fillPath(route, { principal: contract.contractId, token_id: token.tokenNumber });
  return localizedPages(path, token, documents, (shown) => composeAnswer(facts, shown, options));
}

function composeAnswer(
  { standard, token }: NumberedFacts,
  shown: ShownDocument | undefined,
  options: RenderOptions,
): NumberedAnswer {
  const { decimals, totalSupply } = token.values;
  return {
    token_uri: shownUri(token),
    ...(standard === 'sip-013' ? { decimals, total_supply: totalSupply } : {}),
    metadata: composeShown(shown, options),
  };
}
