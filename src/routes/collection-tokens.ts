// Routes metadata/v1/nft/<principal> and metadata/v1/sft/<principal>: list the tokens of a collection, sorted by token
// id.

import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countTokensOf, countTokensOfAll } from '#store/tokens/collection-states.ts';
import { tokensInOrder } from '#store/tokens/collections.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import { readNumberedTokens, type Token } from '#store/tokens/tokens.ts';
import { BAD_COLLECTION_REQUEST, type ListPart, listPages, listParts, listSchema, partCount } from './list-pages.ts';
import { TOKEN_NOT_FOUND } from './localized-pages.ts';
import { COLLECTION_PAGES, type Described, makeForEachKind, type Route, type Zod } from './route.ts';
import {
  type ChangedCollection,
  changedCollections,
  type ServedCollection,
  servedCollections,
  sumOf,
} from './served-collections.ts';
import { markComplete, type RenderOptions, type StoredEntry, type Subject } from './subject.ts';
import { imageUris, shownUri } from './token-response.ts';

const entrySchema = (z: Zod) =>
  z.strictObject({
    token_id: z.string(),
    token_uri: z.string().optional(),
    name: z.string().optional(),
    image_uri: z.string().optional(),
    image_thumbnail_uri: z.string().optional(),
  });

export type ListEntry = Described<typeof entrySchema>;

type CollectionPart = ListPart<ListEntry> & { readonly contract: ServedContract };

type Entries = StoredEntry<CollectionPart>[];

const collectionTokens: Subject<CollectionPart, CollectionPart> = {
  async changes(store, sinceRevision, options) {
    if (sinceRevision > 0) {
      const changed = await changedCollections(store, sinceRevision);
      // The count is one higher than the number of parts, since {@link markComplete} adds an entry after the parts.
      const counts = changed.map(({ minted, served }) => (served === undefined ? 0 : partCount(minted)) + 1);
      return { count: sumOf(counts), pages: changedParts(store, changed, options) };
    }
    const counts = (await countTokensOfAll(store)).map(partCount);
    return { count: sumOf(counts), pages: allParts(store, options) };
  },
  open: (stored) => stored,
};

export const [nftTokens, sftTokens] = makeForEachKind((standard, kind, prefix): Route<CollectionPart> => {
  const path = `metadata/v1/${kind}/{principal}`;
  return {
    id: `${kind}-tokens`,
    path,
    summary: `The tokens of a ${prefix}-fungible collection, sorted by number`,
    parameters: [{ name: 'principal', pattern: PRINCIPAL_PATTERN }],
    list: COLLECTION_PAGES,
    schema: (z) => listSchema(z, entrySchema(z)),
    notFound: TOKEN_NOT_FOUND,
    badRequest: BAD_COLLECTION_REQUEST,
    inBuilds: kind,
    subject: collectionTokens,
    render: ({ contract, ...part }) =>
      contract.standard === standard
        ? listPages(fillPath({ path }, { principal: contract.contractId }), COLLECTION_PAGES, part)
        : [],
  };
});

async function* allParts(store: StoreReader, options: RenderOptions): AsyncGenerator<Entries> {
  for await (const served of servedCollections(store)) yield* partsOf(store, served, options);
}

/**
 * Yields all parts of each collection with changed tokens: the manifest of a collection contains digests of all pages.
 */
async function* changedParts(
  store: StoreReader,
  collections: readonly ChangedCollection[],
  options: RenderOptions,
): AsyncGenerator<Entries> {
  // `markComplete` removes the files of tokens that the collection no longer has.
  for (const { contractId, served } of collections)
    yield* markComplete(contractId, served && partsOf(store, served, options));
}

async function* partsOf(store: StoreReader, served: ServedCollection, options: RenderOptions): AsyncGenerator<Entries> {
  const { contract, collection } = served;
  const { contractId, deployId } = contract;
  async function* minted() {
    for await (const page of tokensInOrder(store, deployId)) {
      const existing = page.filter(({ isMinted }) => isMinted);
      yield await readNumberedTokens(store, collection, existing);
    }
  }
  const total = (await countTokensOf(store, [deployId])).get(deployId)?.minted ?? 0;
  const read = (tokens: readonly Token[]) => readEntries(store, served, tokens, options);
  for await (const parts of listParts({ total, rows: minted(), read }))
    yield parts.map(({ key, stored, ...part }) => ({
      ...part,
      key: `${contractId} ${key}`,
      stored: stored && { contract, ...stored },
    }));
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
