// Routes metadata/v1/nft/<principal> and metadata/v1/sft/<principal>: the tokens of a collection in pages, by number.
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { type CollectionStandard, kindOf } from '#model/token.ts';
import { countTokensOf, countTokensOfAll } from '#store/collection-states.ts';
import { tokensInOrder } from '#store/collections.ts';
import type { ServedContract } from '#store/contracts.ts';
import { readDocumentSummaries } from '#store/documents.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedTokens } from '#store/ledger.ts';
import { readNumberedTokens, type Token } from '#store/tokens.ts';
import {
  BAD_COLLECTION_REQUEST,
  type ListSlice,
  listPages,
  listSchema,
  SLICE_SIZE,
  sliceKey,
  sliceOffsets,
} from './list-pages.ts';
import { TOKEN_NOT_FOUND } from './localized-pages.ts';

import { COLLECTION_PAGES, type Described, fillPath, type RenderOptions, type Route, type Zod } from './route.ts';
import {
  type ChangedCollection,
  changedCollections,
  measureChanges,
  type ServedCollection,
  servedCollections,
} from './served-collections.ts';
import type { StoredEntry, Subject } from './subject.ts';
import { imageUris, shownUri } from './token-answer.ts';

const entrySchema = (z: Zod) =>
  z.strictObject({
    token_id: z.string(),
    token_uri: z.string().optional(),
    name: z.string().optional(),
    image_uri: z.string().optional(),
    image_thumbnail_uri: z.string().optional(),
  });

type ListEntry = Described<typeof entrySchema>;

interface CollectionSlice extends ListSlice<ListEntry> {
  readonly contract: ServedContract;
}

type Entries = StoredEntry<CollectionSlice>[];

const collectionTokens: Subject<CollectionSlice, CollectionSlice> = {
  name: 'collection-tokens',
  spans: 'contract',
  async changes(store, sinceRevision, options) {
    if (sinceRevision > 0) {
      const changed = await changedCollections(store, sinceRevision);
      const sizes = await measureChanges(store, sinceRevision, changed, ['contract', 'collection']);
      const count = sizes.reduce((sum, { isWhole, tokens, stored }) => {
        const all = sliceCount(stored);
        return sum + (isWhole ? all : Math.min(tokens, all));
      }, 0);
      return { count, pages: changedSlices(store, changed, sinceRevision, options) };
    }
    const collections = await countTokensOfAll(store);
    const count = collections.reduce((sum, { minted }) => sum + sliceCount(minted), 0);
    return { count, pages: allSlices(store, options) };
  },
  open: (stored) => stored,
};

export const nftTokens = routeOf('sip-009', {
  id: 'nft-tokens',
  path: 'metadata/v1/nft/{principal}',
  summary: 'The tokens of a non-fungible collection, by number',
});

export const sftTokens = routeOf('sip-013', {
  id: 'sft-tokens',
  path: 'metadata/v1/sft/{principal}',
  summary: 'The tokens of a semi-fungible collection, by number',
});

function routeOf(standard: CollectionStandard, own: Pick<Route, 'id' | 'path' | 'summary'>): Route<CollectionSlice> {
  return {
    ...own,
    parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
    variants: [],
    list: COLLECTION_PAGES,
    ownErrors: [],
    schema: (z) => listSchema(z, entrySchema(z)),
    notFound: TOKEN_NOT_FOUND,
    badRequest: BAD_COLLECTION_REQUEST,
    about: kindOf(standard),
    subject: collectionTokens,
    render: ({ contract, ...slice }) =>
      contract.standard === standard
        ? listPages(fillPath(own, { principal: contract.contractId }), COLLECTION_PAGES, slice)
        : [],
  };
}

function sliceCount(total: number): number {
  return [...sliceOffsets(total)].length;
}

async function* allSlices(store: StoreReader, options: RenderOptions): AsyncGenerator<Entries> {
  for await (const served of servedCollections(store)) yield* slicesOf(store, served, options, () => true);
}

async function* changedSlices(
  store: StoreReader,
  collections: readonly ChangedCollection[],
  sinceRevision: number,
  options: RenderOptions,
): AsyncGenerator<Entries> {
  for (const { contractId, entities, served, deployIds } of collections) {
    const changed = served && (await changedTokens(store, sinceRevision, served.contract.deployId));
    const isShared = served !== undefined && changed?.has(served.collection.tokenId) === true;
    const isWhole = entities.includes('contract') || entities.includes('collection') || isShared;
    let end = 0;
    if (served !== undefined) {
      const isAffected = ({ tokenId }: Token) => isWhole || changed?.has(tokenId) === true;
      yield* slicesOf(store, served, options, isAffected);
      end = sliceCount(await countMinted(store, served)) * SLICE_SIZE;
    }
    if (!isWhole) continue;
    // It may have had more: as many as there are on all forks.
    const counts = [...(await countTokensOf(store, deployIds)).values()];
    const most = Math.max(0, ...counts.map(({ stored }) => stored));
    yield [...sliceOffsets(most)]
      .filter((offset) => offset >= end)
      .map((offset) => ({ key: keyOf(contractId, offset), stored: undefined }));
  }
}

async function countMinted(store: StoreReader, { contract: { deployId } }: ServedCollection): Promise<number> {
  return (await countTokensOf(store, [deployId])).get(deployId)?.minted ?? 0;
}

/** The slices of a collection of which a token is affected; an empty one is where another is. */
async function* slicesOf(
  store: StoreReader,
  served: ServedCollection,
  options: RenderOptions,
  isAffected: (token: Token) => boolean,
): AsyncGenerator<Entries> {
  const { contract, collection } = served;
  const total = await countMinted(store, served);
  const waiting: Token[] = [];
  const offsets = sliceOffsets(total);
  const cut = async (offset: number): Promise<Entries> => {
    const tokens = waiting.splice(0, SLICE_SIZE);
    if (tokens.length > 0 && !tokens.some(isAffected)) return [];
    const results = await readEntries(store, served, tokens, options);
    return [{ key: keyOf(contract.contractId, offset), stored: { contract, offset, total, results } }];
  };
  for await (const page of tokensInOrder(store, contract.deployId)) {
    const minted = page.filter(({ isMinted }) => isMinted);
    waiting.push(...(await readNumberedTokens(store, collection, minted)));
    const entries: Entries = [];
    while (waiting.length >= SLICE_SIZE) entries.push(...(await cut(offsets.next().value ?? 0)));
    yield entries;
  }
  const last: Entries = [];
  for (const offset of offsets) last.push(...(await cut(offset)));
  yield last;
}

async function readEntries(
  store: StoreReader,
  { hasDocuments }: ServedCollection,
  tokens: readonly Token[],
  options: RenderOptions,
): Promise<ListEntry[]> {
  const tokenIds = tokens.map(({ tokenId }) => tokenId);
  const documents = hasDocuments ? await readDocumentSummaries(store, tokenIds) : undefined;
  return tokens.map((token): ListEntry => {
    const document = documents?.get(token.tokenId);
    const { image, thumbnail } = imageUris(document?.image, options);
    return {
      token_id: token.tokenNumber,
      token_uri: shownUri(token),
      name: document?.name,
      image_uri: image,
      image_thumbnail_uri: thumbnail,
    };
  });
}

function keyOf(contractId: string, offset: number): string {
  return `${contractId} ${sliceKey(offset)}`;
}
