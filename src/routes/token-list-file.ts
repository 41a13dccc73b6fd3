// Route metadata/v1/tokenlist.json: all fungible tokens of the site, in the format of tokenlists.org.

import { chainIdOf } from '#model/chain.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { MAX_SHOWN_NAME } from '#model/shown-name.ts';
import { runsOf } from '#sqlite/lists.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { type AvailableToken, availableTokens } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { readSummary } from '#store/status/summary.ts';
import { type DocumentSummary, readDocumentSummaries } from '#store/tokens/documents.ts';
import { curatedSchema } from './overlay.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { type RenderOptions, siteSubject } from './subject.ts';
import { imageUris } from './token-response.ts';
import { assetOf } from './tokens.ts';

/** The tags of tokens. In this format, the id of a tag has at most ten letters, digits and underscores. */
const TAGS = {
  sip010: { name: 'SIP 010', description: 'Fungible token of the standard SIP 010' },
  complete: { name: 'Complete', description: 'The values and the metadata document were read' },
  partial: { name: 'Partial', description: 'The values were read, but no metadata document' },
} as const;

/** The number of contracts whose code is read together, which limits the memory for the code. */
const READ_AT_ONCE = 50;
/** The maximum length of an image URI. Longer URIs are omitted, for example `data:` URIs. */
const MAX_URI_LENGTH = 300;

const tokenSchema = (z: Zod) =>
  z.strictObject({
    chainId: z
      .int()
      .nonnegative()
      .describe('Stacks chain id: 1 for mainnet, 2147483648 for testnet, 1398036560 for the bundled sample'),
    address: z.string().regex(PRINCIPAL_PATTERN).describe('The principal of the contract'),
    name: z.string().describe(`At most ${MAX_SHOWN_NAME} characters; empty if unknown`),
    symbol: z.string().describe(`At most ${MAX_SHOWN_NAME} characters; empty if unknown`),
    decimals: z.number().nonnegative().optional().describe('Omitted if unknown'),
    logoURI: z
      .string()
      .optional()
      .describe('Thumbnail, if the site is built with `--public-url`; otherwise the original image URI'),
    tags: z.array(z.enum(Object.keys(TAGS) as (keyof typeof TAGS)[])).describe('Standard and state'),
    extensions: z.strictObject({
      assetIdentifier: z.string().describe('`<principal>::<asset>`'),
      curated: curatedSchema(z)
        .optional()
        .describe('Facts from the overlay of the operator, with their source; not from the chain'),
    }),
  });

const tokenListSchema = (z: Zod) => {
  const [count, text] = [z.int().nonnegative(), z.string()];
  return z.strictObject({
    name: text,
    timestamp: z.iso
      .datetime()
      .optional()
      .describe("Time of the chain tip's burn block; omitted if no blocks were indexed"),
    version: z
      .strictObject({ major: count, minor: count, patch: count })
      .describe('`patch` is the height of the Stacks block at the tip'),
    tags: z.record(text, z.strictObject({ name: text, description: text })),
    tokens: z
      .array(tokenSchema(z))
      .describe('All fungible tokens with metadata or on-chain values, sorted by principal'),
  });
};

type TokenList = Described<typeof tokenListSchema>;
type ListedToken = Described<typeof tokenSchema>;

export const tokenListFile: Route<TokenList> = {
  id: 'token-list-file',
  path: 'metadata/v1/tokenlist.json',
  isFile: true,
  summary: 'All fungible tokens in one response, as a token list (tokenlists.org): name, symbol, decimals, image',
  parameters: [],
  schema: tokenListSchema,
  inBuilds: 'ft',
  subject: siteSubject(readList),
  render: (list) => [jsonPage(tokenListFile.path, list)],
};

async function readList(store: StoreReader, options: RenderOptions): Promise<TokenList> {
  const [{ tip }, { chainId }] = [await readSummary(store), await readInfo(store)];
  const tokens: ListedToken[] = [];
  for await (const page of availableTokens(store)) {
    const assets = await readAssets(store, page);
    const tokenIds = page.map(({ tokenId }) => tokenId);
    const documents = await readDocumentSummaries(store, tokenIds);
    for (const token of page) {
      const { contractId, name, symbol, decimals, isComplete } = token;
      tokens.push({
        chainId: chainId ?? chainIdOf(contractId),
        address: contractId,
        name,
        symbol,
        decimals,
        logoURI: logoOf(documents.get(token.tokenId), options),
        tags: ['sip010', isComplete ? 'complete' : 'partial'],
        extensions: {
          assetIdentifier: `${contractId}::${assets.get(token.deployId)}`,
          curated: options.overlay?.get(contractId),
        },
      });
    }
  }
  return {
    name: 'Stacks tokens',
    timestamp: tip?.minedAt,
    version: { major: 1, minor: 0, patch: tip?.height ?? 0 },
    tags: TAGS,
    tokens: tokens.sort((left, right) => (left.address < right.address ? -1 : 1)),
  };
}

/** Returns an absolute URI, since readers of the list may not know where it comes from. */
function logoOf(document: DocumentSummary | undefined, options: RenderOptions): string | undefined {
  const { thumbnail } = imageUris(document?.image, options);
  const uris = [thumbnail ?? '', document?.imageUri ?? ''].filter(({ length }) => length <= MAX_URI_LENGTH);
  return uris.map((uri) => URL.parse(uri)?.href).find((uri) => uri !== undefined);
}

/**
 * Reads the asset name of each token, by the id of the deploy. It is the name of the first fungible token that the
 * contract defines.
 */
async function readAssets(store: StoreReader, tokens: readonly AvailableToken[]) {
  const deployIds = tokens.map(({ deployId }) => deployId);
  const assets = new Map<number, string | undefined>();
  for (const run of runsOf(deployIds, READ_AT_ONCE))
    for (const [deployId, code] of await readCode(store, run)) assets.set(deployId, assetOf(code));
  return assets;
}
