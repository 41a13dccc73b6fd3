// Reads changed tokens of collections, for routes about single tokens.

import { runsOf } from '#sqlite/lists.ts';
import { type ServedContract, servedContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedTokens, countChangedTokens } from '#store/ledger/ledger.ts';
import { countTokensOfAll } from '#store/tokens/collection-states.ts';
import { type StoredToken, tokensInOrder } from '#store/tokens/collections.ts';
import { readDocuments, type StoredDocument } from '#store/tokens/documents.ts';
import { readNumberedTokens, type Token } from '#store/tokens/tokens.ts';
import {
  type ChangedCollection,
  changedCollections,
  type ServedCollection,
  servedCollections,
  sumOf,
} from './served-collections.ts';
import { markComplete, type StoredEntry, type Subject } from './subject.ts';

/** The number of tokens with documents that are read together, which limits the memory for the documents. */
const WITH_DOCUMENTS = 20;

export interface NumberedFacts {
  readonly contract: ServedContract;
  readonly token: Token;
  readonly documents: readonly StoredDocument[];
}

/** The tokens of collections. A token is served if its collection is served and a canonical block minted the token. */
export const numberedTokens: Subject<NumberedFacts, NumberedFacts> = {
  async changes(store, sinceRevision) {
    if (sinceRevision === 0) {
      return { count: sumOf(await countTokensOfAll(store)), pages: allTokens(store) };
    }
    const changed = await changedCollections(store, sinceRevision);
    const changedCounts = await countChangedTokens(store, sinceRevision);
    const counts = changed.map(({ entities, served, minted }) => {
      const tokenCount = served && changedCounts.get(served.contract.deployId);
      // The count is one higher than the number of tokens, since {@link markComplete} adds an entry after them.
      if (entities.includes('contract')) return minted + 1;
      return tokenCount?.isShared ? minted : (tokenCount?.count ?? 0);
    });
    return { count: sumOf(counts), pages: changedEntries(store, changed, sinceRevision) };
  },

  among: (store, contractIds) => allTokens(store, servedContractsAmong(store, contractIds)),

  open: (stored) => stored,
};

type Entries = StoredEntry<NumberedFacts>[];

async function* allTokens(
  store: StoreReader,
  contracts?: AsyncIterable<readonly ServedContract[]>,
): AsyncGenerator<Entries> {
  for await (const served of servedCollections(store, contracts)) yield* tokensOf(store, served);
}

/** Yields entries of all tokens of a collection, in order of token id. */
export async function* tokensOf(store: StoreReader, served: ServedCollection): AsyncGenerator<Entries> {
  for await (const page of tokensInOrder(store, served.contract.deployId)) yield* entriesOf(store, served, page);
}

async function* changedEntries(
  store: StoreReader,
  collections: readonly ChangedCollection[],
  sinceRevision: number,
): AsyncGenerator<Entries> {
  for (const { contractId, entities, served } of collections) {
    // `markComplete` removes the files of tokens that only an earlier deploy of the contract had.
    if (entities.includes('contract')) yield* markComplete(contractId, served && tokensOf(store, served));
    else if (served !== undefined) {
      const changed = await changedTokens(store, sinceRevision, served.contract.deployId);
      // A change of the collection itself affects data that all of its tokens share.
      const isComplete = changed.has(served.collection.tokenId);
      for await (const page of tokensInOrder(store, served.contract.deployId)) {
        const affected = isComplete ? page : page.filter(({ tokenId }) => changed.has(tokenId));
        yield* entriesOf(store, served, affected);
      }
    }
  }
}

/** Returns a key. Keys sort by contract id, then by token id. */
function keyOf(contractId: string, tokenNumber: string): string {
  return `${contractId} ${String(tokenNumber.length).padStart(2, '0')}${tokenNumber}`;
}

async function* entriesOf(
  store: StoreReader,
  served: ServedCollection,
  page: readonly StoredToken[],
): AsyncGenerator<Entries> {
  const { contract, collection } = served;
  for (const run of runsOf(page, served.hasDocuments ? WITH_DOCUMENTS : page.length)) {
    const tokens = await readNumberedTokens(store, collection, run);
    const tokenIds = tokens.map(({ tokenId }) => tokenId);
    const documents = served.hasDocuments ? await readDocuments(store, tokenIds) : undefined;
    yield tokens.map((token) => ({
      key: keyOf(contract.contractId, token.tokenNumber),
      stored: token.isMinted ? { contract, token, documents: documents?.get(token.tokenId) ?? [] } : undefined,
    }));
  }
}
