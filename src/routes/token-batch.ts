// Describes metadata/v1/search: several tokens in one response, which a program combines from their files.
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { TOKEN_NUMBER_PATTERN } from '#model/token.ts';
import { partSource } from '#serving/rules.ts';
import { collectionSearch } from './collection-search.ts';
import { nftMetadata, sftMetadata } from './numbered-metadata.ts';
import type { RouteError, Zod } from './route.ts';
import { tokenMetadata } from './token-metadata.ts';
import { tokenResponseSchema } from './token-response.ts';

const MAX_TOKENS = 50;

const BAD_REQUEST: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message: `Pass contract 1 to ${MAX_TOKENS} times, each as <principal> or <principal>:<token number>.`,
  },
};

const schema = (z: Zod) =>
  z.array(
    z.strictObject({
      contract_id: z.string(),
      token_number: z.union([z.int().nonnegative(), z.string()]).describe('A string for numbers of 2^53 and above'),
      token_type: z.enum(['ft', 'nft', 'sft']),
      ...tokenResponseSchema(z).omit({ metadata: true, asset_identifier: true }).shape,
      // The position of these fields in the response for a token.
      total_supply: z.string().optional(),
      tx_id: z.string().optional(),
      sender_address: z.string(),
    }),
  );

export const tokenBatch = {
  id: 'token-batch',
  path: 'metadata/v1/search',
  summary: `Up to ${MAX_TOKENS} tokens of any kind, without queued and failed tokens. Hosts without server code: 404`,
  schema,
  maxTokens: MAX_TOKENS,
  /** Source of a pattern with two groups: principal and token id. The id defaults to 1, the id of a fungible token. */
  identifier: `(${partSource(PRINCIPAL_PATTERN)})(?::(${partSource(TOKEN_NUMBER_PATTERN)}))?`,
  kinds: { ft: tokenMetadata, nft: nftMetadata, sft: sftMetadata },
  collections: collectionSearch,
  badRequest: BAD_REQUEST,
} as const;
