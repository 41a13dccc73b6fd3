// Describes metadata/v1/search, which returns several tokens in one response. Hosts with a program make it from the
// files of the tokens.
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
      // The response for a single token has these fields in the same position.
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
  /**
   * Matches an identifier: the source of a regular expression whose two groups are principal and token id. Without a
   * token id, 1 is used, the id of a fungible token.
   */
  identifier: `(${partSource(PRINCIPAL_PATTERN)})(?::(${partSource(TOKEN_NUMBER_PATTERN)}))?`,
  kinds: { ft: tokenMetadata, nft: nftMetadata, sft: sftMetadata },
  collections: collectionSearch,
  badRequest: BAD_REQUEST,
} as const;
