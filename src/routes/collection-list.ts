// Routes metadata/v1/nft and metadata/v1/sft: all collections in pages, by principal.

import { type CollectionStandard, kindOf } from '#model/token.ts';
import { hasTokenChanged, type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countTokensOf, NO_TOKENS } from '#store/tokens/collection-states.ts';
import {
  BAD_COLLECTION_REQUEST,
  type ListPart,
  listPages,
  listSchema,
  MANIFEST_KEY,
  pageDigest,
  partCount,
  SLICE_SIZE,
  sliceKey,
  sliceOffsets,
} from './list-pages.ts';
import { COLLECTION_PAGES, type Described, type Route, type Zod } from './route.ts';
import { readFirstDocuments } from './served-collections.ts';
import type { RenderOptions } from './subject.ts';
import { NO_CHANGES, type StoredEntry } from './subject.ts';
import { imageUris } from './token-answer.ts';

const entrySchema = (z: Zod) =>
  z.strictObject({
    principal: z.string(),
    name: z.string().optional().describe('Name of its first token'),
    image: z.string().optional().describe('Thumbnail of its first token'),
    token_count: z.int().nonnegative(),
    tx_id: z.string().regex(/^0x[0-9a-f]{64}$/),
    sender_address: z.string(),
  });

type ListEntry = Described<typeof entrySchema>;

export const nftCollections = routeOf('sip-009', {
  id: 'nft-collections',
  path: 'metadata/v1/nft',
  summary: 'All non-fungible collections, by principal',
});

export const sftCollections = routeOf('sip-013', {
  id: 'sft-collections',
  path: 'metadata/v1/sft',
  summary: 'All semi-fungible collections, by principal',
});

function routeOf(
  standard: CollectionStandard,
  own: Pick<Route, 'id' | 'path' | 'summary'>,
): Route<ListPart<ListEntry>> {
  return {
    ...own,
    parameters: [],
    variants: [],
    list: COLLECTION_PAGES,
    ownErrors: [],
    schema: (z) => listSchema(z, entrySchema(z)),
    badRequest: BAD_COLLECTION_REQUEST,
    about: kindOf(standard),
    subject: {
      name: own.id,
      spans: 'site',
      async changes(store, sinceRevision, options) {
        if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision, [standard]))) return NO_CHANGES;
        const contracts: ServedContract[] = [];
        for await (const page of servedContracts(store, [standard])) contracts.push(...page);
        return { count: partCount(contracts.length), pages: partsOf(store, contracts, options), isWhole: true };
      },
      open: (stored) => stored as ListPart<ListEntry>,
    },
    render: (part) => listPages(own.path, COLLECTION_PAGES, part),
  };
}

async function* partsOf(
  store: StoreReader,
  contracts: readonly ServedContract[],
  options: RenderOptions,
): AsyncGenerator<StoredEntry<ListPart<ListEntry>>[]> {
  const total = contracts.length;
  const pages: string[] = [];
  for (const offset of sliceOffsets(total)) {
    const results = await readEntries(store, contracts.slice(offset, offset + SLICE_SIZE), options);
    const slice = { offset, total, results };
    pages.push(pageDigest(slice));
    yield [{ key: sliceKey(offset), stored: slice }];
  }
  yield [{ key: MANIFEST_KEY, stored: { manifest: { total, pages } } }];
}

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
