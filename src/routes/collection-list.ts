// Routes metadata/v1/nft and metadata/v1/sft: lists all collections in pages, sorted by principal.

import { type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countTokensOf, NO_TOKENS } from '#store/tokens/collection-states.ts';
import { BAD_COLLECTION_REQUEST } from './list-pages.ts';
import { COLLECTION_PAGES, type Described, makeForEachKind, type Zod } from './route.ts';
import { readFirstDocuments } from './served-collections.ts';
import { siteList } from './site-list.ts';
import type { RenderOptions } from './subject.ts';
import { imageUris } from './token-response.ts';

const entrySchema = (z: Zod) =>
  z.strictObject({
    principal: z.string(),
    name: z.string().optional().describe('Name of the first token of the collection'),
    image: z.string().optional().describe('Thumbnail of the first token of the collection'),
    token_count: z.int().nonnegative(),
    tx_id: z.string().regex(/^0x[0-9a-f]{64}$/),
    sender_address: z.string(),
  });

type ListEntry = Described<typeof entrySchema>;

export const [nftCollections, sftCollections] = makeForEachKind((standard, kind, prefix) =>
  siteList({
    id: `${kind}-collections`,
    path: `metadata/v1/${kind}`,
    summary: `All ${prefix}-fungible collections, sorted by principal`,
    inBuilds: kind,
    standard,
    list: COLLECTION_PAGES,
    entry: entrySchema,
    badRequest: BAD_COLLECTION_REQUEST,
    rows: async (store) => (await Array.fromAsync(servedContracts(store, [standard]))).flat(),
    read: readEntries,
  }),
);

async function readEntries(
  store: StoreReader,
  contracts: readonly ServedContract[],
  options: RenderOptions,
): Promise<ListEntry[]> {
  const deployIds = contracts.map(({ deployId }) => deployId);
  const counts = await countTokensOf(store, deployIds);
  const documents = await readFirstDocuments(store, contracts);
  return contracts.map(({ contractId, deployId, txId, senderAddress }) => {
    const first = documents.get(deployId);
    return {
      principal: contractId,
      name: first?.name,
      image: imageUris(first?.image, options).thumbnail,
      token_count: (counts.get(deployId) ?? NO_TOKENS).minted,
      tx_id: txId,
      sender_address: senderAddress,
    };
  });
}
