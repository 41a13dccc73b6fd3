// Routes metadata/v1/nft/<principal>/<number> and …/sft/…: the metadata of a token. `?locale=` selects a localized
// document (SIP-016).

import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { BAD_COLLECTION_REQUEST } from './list-pages.ts';
import { LOCALE_VARIANT, localizedPages, STATUS_NOT_READY, TOKEN_NOT_FOUND } from './localized-pages.ts';
import { type NumberedFacts, numberedTokens } from './numbered-tokens.ts';
import { type Described, makeForEachKind, type Route, type Zod } from './route.ts';
import type { RenderOptions } from './subject.ts';
import { composeShown, metadataSchema, type ShownDocument, shownUri } from './token-response.ts';

const nonFungibleSchema = (z: Zod) =>
  z.strictObject({ token_uri: z.string().optional(), metadata: metadataSchema(z).optional() });

const semiFungibleSchema = (z: Zod) =>
  z.strictObject({
    token_uri: z.string().optional(),
    decimals: z.int().nonnegative().optional(),
    total_supply: z.string().regex(/^\d+$/).optional().describe('In the smallest unit'),
    metadata: metadataSchema(z).optional(),
  });

/** The response of both routes. Fields are optional if non-fungible tokens lack them. */
export type NumberedResponse = Described<typeof semiFungibleSchema>;

const SCHEMAS = { 'sip-009': nonFungibleSchema, 'sip-013': semiFungibleSchema };
const TITLES = { 'sip-009': 'Non-fungible', 'sip-013': 'Semi-fungible' };

export const [nftMetadata, sftMetadata] = makeForEachKind((standard, kind): Route<NumberedFacts> => {
  const path = `metadata/v1/${kind}/{principal}/{token_id}`;
  return {
    id: `${kind}-metadata`,
    path,
    summary: `${TITLES[standard]} token metadata (${standard.toUpperCase()}, SIP-016)`,
    parameters: [
      { name: 'principal', pattern: PRINCIPAL_PATTERN },
      { name: 'token_id', pattern: TOKEN_NUMBER_PATTERN },
    ],
    variants: [LOCALE_VARIANT],
    fileErrors: [STATUS_NOT_READY],
    schema: SCHEMAS[standard],
    notFound: TOKEN_NOT_FOUND,
    badRequest: BAD_COLLECTION_REQUEST,
    inBuilds: kind,
    subject: numberedTokens,
    *render(facts, options) {
      const { contract, token, documents } = facts;
      if (contract.standard !== standard) return;
      const tokenPath = fillPath({ path }, { principal: contract.contractId, token_id: token.tokenNumber });
      yield* localizedPages(tokenPath, token, documents, (shown) => composeResponse(facts, shown, options));
    },
  };
});

function composeResponse(
  { contract, token }: NumberedFacts,
  shown: ShownDocument | undefined,
  options: RenderOptions,
): NumberedResponse {
  const { decimals, totalSupply } = token.values;
  return {
    token_uri: shownUri(token),
    ...(contract.standard === 'sip-013' ? { decimals, total_supply: totalSupply } : {}),
    metadata: composeShown(shown, options),
  };
}
