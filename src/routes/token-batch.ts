// metadata/v1/search: several tokens at once, as the public API has it. No file: edge code combines their answers.
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { partSource } from '#serving/rules.ts';
import { collectionSearch } from './collection-search.ts';
import { nftMetadata, sftMetadata } from './numbered-metadata.ts';
import type { RouteError, Zod } from './route.ts';
import { tokenMetadata } from './token-metadata.ts';
import { tokenResponseSchema } from './token-response.ts';

const MOST = 50;

const BAD_REQUEST: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message: `contract must be given 1 to ${MOST} times, each <principal> or <principal>:<token number>`,
  },
};

const schema = (z: Zod) =>
  z.array(
    z.strictObject({
      contract_id: z.string(),
      token_number: z.union([z.int().nonnegative(), z.string()]).describe('A string from 2^53 on'),
      token_type: z.enum(['ft', 'nft', 'sft']),
      ...tokenResponseSchema(z).omit({ metadata: true, asset_identifier: true }).shape,
      // Where they are in the answer of a token.
      total_supply: z.string().optional(),
      tx_id: z.string().optional(),
      sender_address: z.string(),
    }),
  );

export const tokenBatch = {
  id: 'token-batch',
  path: 'metadata/v1/search',
  summary: `Up to ${MOST} tokens of any kind at once; those without an answer are left out. Hosts without edge code answer 404`,
  schema,
  most: MOST,
  /** The token id defaults to 1, that of a fungible token. */
  identifier: `(${partSource(PRINCIPAL_PATTERN)})(?::(${partSource(TOKEN_NUMBER_PATTERN)}))?`,
  kinds: { ft: tokenMetadata, nft: nftMetadata, sft: sftMetadata },
  collections: collectionSearch,
  badRequest: BAD_REQUEST,
} as const;
