// Routes metadata/v1/nft/<principal> and metadata/v1/sft/<principal>: the tokens of a collection in pages, by number.
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import type { CollectionStandard } from '#model/token.ts';
import { countTokensOf, NO_TOKENS, type NumberedToken, tokensInOrder } from '#store/collections.ts';
import { type ServedContract, servedContracts } from '#store/contracts.ts';
import { readDocumentSummaries } from '#store/documents.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedTokens } from '#store/ledger.ts';
import { readTokensById } from '#store/tokens.ts';
import { type ListSlice, listPages, listSchema, SLICE_SIZE, sliceKey, sliceOffsets } from './list-pages.ts';
import { TOKEN_NOT_FOUND } from './localized-pages.ts';
import { type ChangedCollection, changedCollections } from './numbered-tokens.ts';
import { COLLECTION_PAGES, type Described, fillPath, type RenderOptions, type Route, type Zod } from './route.ts';
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
  async changes(store, sinceRevision, options) {
    if (sinceRevision > 0) {
      const changed = await changedCollections(store, sinceRevision);
      return { count: changed.length, pages: changedSlices(store, changed, sinceRevision, options) };
    }
    return { count: 0, pages: allSlices(store, options) };
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
    badRequest: {
      status: 400,
      body: {
        error: 'Bad Request',
        message:
          'principal must be <contract address>.<contract name>, limit a number from 1 to 60, and offset one from 0; ' +
          'a host without a program takes limit=60, and an offset within the list that is a multiple of it',
      },
    },
    about: standard === 'sip-009' ? 'nft' : 'sft',
    subject: collectionTokens,
    render: ({ contract, ...slice }) =>
      contract.standard === standard
        ? listPages(fillPath(own, { principal: contract.contractId }), COLLECTION_PAGES, slice)
        : [],
  };
}

async function* allSlices(store: StoreReader, options: RenderOptions): AsyncGenerator<Entries> {
  for await (const contracts of servedContracts(store, 'collections'))
    for (const contract of contracts) yield* slicesOf(store, contract, options, () => true);
}

async function* changedSlices(
  store: StoreReader,
  collections: readonly ChangedCollection[],
  sinceRevision: number,
  options: RenderOptions,
): AsyncGenerator<Entries> {
  for (const { contractId, entities, contract, ownId, deployIds } of collections) {
    const changed = contract === undefined ? NONE : await changedTokens(store, sinceRevision, contract.deployId);
    const isWhole = entities.includes('contract') || entities.includes('collection') || changed.has(ownId ?? 0);
    let end = 0;
    if (contract !== undefined) {
      const isAffected = (tokens: readonly NumberedToken[]) =>
        isWhole || tokens.some(({ tokenId }) => changed.has(tokenId));
      yield* slicesOf(store, contract, options, isAffected);
      const count = (await countTokensOf(store, [contract.deployId])).get(contract.deployId) ?? NO_TOKENS;
      end = [...sliceOffsets(count.minted)].length * SLICE_SIZE;
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

const NONE: ReadonlySet<number> = new Set();

/** The slices of a collection that are affected by their tokens. */
async function* slicesOf(
  store: StoreReader,
  contract: ServedContract,
  options: RenderOptions,
  isAffected: (tokens: readonly NumberedToken[]) => boolean,
): AsyncGenerator<Entries> {
  const total = (await countTokensOf(store, [contract.deployId])).get(contract.deployId)?.minted ?? 0;
  const waiting: NumberedToken[] = [];
  async function* slice(offset: number): AsyncGenerator<Entries> {
    const tokens = waiting.splice(0, SLICE_SIZE);
    if (!isAffected(tokens)) return;
    const results = await readEntries(store, tokens, options);
    yield [{ key: keyOf(contract.contractId, offset), stored: { contract, offset, total, results } }];
  }
  const offsets = sliceOffsets(total);
  for await (const page of tokensInOrder(store, contract.deployId)) {
    waiting.push(...page.filter(({ isMinted }) => isMinted));
    while (waiting.length >= SLICE_SIZE) yield* slice(offsets.next().value ?? 0);
  }
  for (const offset of offsets) yield* slice(offset);
}

async function readEntries(
  store: StoreReader,
  page: readonly NumberedToken[],
  options: RenderOptions,
): Promise<ListEntry[]> {
  const tokenIds = page.map(({ tokenId }) => tokenId);
  const tokens = new Map((await readTokensById(store, tokenIds)).map((token) => [token.tokenId, token]));
  const documents = await readDocumentSummaries(store, tokenIds);
  return page.flatMap(({ tokenId, tokenNumber }): ListEntry[] => {
    const token = tokens.get(tokenId);
    if (token === undefined) return [];
    const document = documents.get(tokenId);
    const { image, thumbnail } = imageUris(document?.image, options);
    return [
      {
        token_id: tokenNumber,
        token_uri: shownUri(token),
        name: document?.name,
        image_uri: image,
        image_thumbnail_uri: thumbnail,
      },
    ];
  });
}

function keyOf(contractId: string, offset: number): string {
  return `${contractId} ${sliceKey(offset)}`;
}
