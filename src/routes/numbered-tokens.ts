// The subject of the routes that serve single tokens of collections.
import { type CollectionStandard, isCollectionStandard } from '#model/token.ts';
import {
  compareNumbers,
  countNumberedTokens,
  type NumberedToken,
  readCollectionDeploys,
  readOwnId,
  tokensInOrder,
} from '#store/collections.ts';
import { isCollection, readServed, type ServedContract, servedContracts } from '#store/contracts.ts';
import { readDocuments, type StoredDocument } from '#store/documents.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts, changedTokens, type Entity } from '#store/ledger.ts';
import { runsByWeight } from '#store/lists.ts';
import { measureTokens, readTokensById, type Token } from '#store/tokens.ts';
import { HELD_BYTES, type StoredEntry, type Subject } from './subject.ts';

export interface NumberedFacts {
  readonly contract: ServedContract;
  readonly standard: CollectionStandard;
  readonly token: Token;
  readonly documents: readonly StoredDocument[];
}

/** A token is served while its collection is, and its mint is canonical. */
export const numberedTokens: Subject<NumberedFacts, NumberedFacts> = {
  name: 'numbered-tokens',

  async changes(store, sinceRevision) {
    if (sinceRevision === 0) {
      const counts = await countNumberedTokens(store);
      return { count: counts['sip-009'] + counts['sip-013'], pages: allTokens(store) };
    }
    const changed = await changedCollections(store, sinceRevision);
    return { count: changed.length, pages: changedOf(store, changed, sinceRevision) };
  },

  open: (stored) => stored,
};

/** A collection, or a contract that was one, of which a token may have changed. */
export interface ChangedCollection {
  readonly contractId: string;
  readonly entities: readonly Entity[];
  /** As it is served; undefined if it is no collection (any more). */
  readonly contract: ServedContract | undefined;
  /** Its own row. */
  readonly ownId: number | undefined;
  /** Of the deploys of the contract that are collections, on whatever fork. */
  readonly deployIds: readonly number[];
}

/** Sorted by contract id. */
export async function changedCollections(store: StoreReader, sinceRevision: number): Promise<ChangedCollection[]> {
  const changed = await changedContracts(store, sinceRevision, ['contract', 'token', 'collection']);
  const deploys = Map.groupBy(await readCollectionDeploys(store, [...changed.keys()]), ({ contractId }) => contractId);
  const collections: ChangedCollection[] = [];
  for (const [contractId, entities] of changed) {
    const ofContract = deploys.get(contractId);
    if (ofContract === undefined) continue;
    const served = await readServed(store, contractId);
    const ownId = served !== undefined && isCollection(served) ? await readOwnId(store, served.deployId) : undefined;
    const deployIds = ofContract.map(({ deployId }) => deployId);
    collections.push({ contractId, entities, ownId, contract: ownId === undefined ? undefined : served, deployIds });
  }
  return collections;
}

type Entries = StoredEntry<NumberedFacts>[];

async function* allTokens(store: StoreReader): AsyncGenerator<Entries> {
  for await (const contracts of servedContracts(store, 'collections')) {
    for (const contract of contracts)
      for await (const page of tokensInOrder(store, contract.deployId))
        yield* entriesOf(
          store,
          contract,
          page.filter(({ isMinted }) => isMinted),
        );
  }
}

async function* changedOf(
  store: StoreReader,
  collections: readonly ChangedCollection[],
  sinceRevision: number,
): AsyncGenerator<Entries> {
  for (const { contractId, entities, contract, ownId, deployIds } of collections) {
    // Of another deploy there may be tokens that are not there any more.
    if (entities.includes('contract')) yield* withOthers(store, contractId, contract, deployIds);
    else if (contract !== undefined) {
      const changed = await changedTokens(store, sinceRevision, contract.deployId);
      // What all of them share.
      const isWhole = changed.has(ownId ?? 0);
      for await (const page of tokensInOrder(store, contract.deployId))
        yield* entriesOf(
          store,
          contract,
          page.filter(({ tokenId }) => isWhole || changed.has(tokenId)),
        );
    }
  }
}

async function* withOthers(
  store: StoreReader,
  contractId: string,
  contract: ServedContract | undefined,
  deployIds: readonly number[],
): AsyncGenerator<Entries> {
  const served = new Map<string, NumberedToken>();
  const numbers = new Set<string>();
  for (const deployId of deployIds) {
    for await (const page of tokensInOrder(store, deployId))
      for (const token of page) {
        numbers.add(token.tokenNumber);
        if (deployId === contract?.deployId) served.set(token.tokenNumber, token);
      }
  }
  const inOrder = [...numbers].sort(compareNumbers);
  for (let start = 0; start < inOrder.length; start += PAGE_TOKENS) {
    const page = inOrder.slice(start, start + PAGE_TOKENS);
    const there = page.flatMap((number) => served.get(number) ?? []);
    yield page
      .filter((number) => !served.has(number))
      .map((number) => ({ key: keyOf(contractId, number), stored: undefined }));
    if (contract !== undefined) yield* entriesOf(store, contract, there);
  }
}

const PAGE_TOKENS = 500;

/** Sorts as its contract and its number do. */
function keyOf(contractId: string, tokenNumber: string): string {
  return `${contractId} ${String(tokenNumber.length).padStart(2, '0')}${tokenNumber}`;
}

async function* entriesOf(
  store: StoreReader,
  contract: ServedContract,
  tokens: readonly NumberedToken[],
): AsyncGenerator<Entries> {
  const { contractId, standard } = contract;
  if (tokens.length === 0 || !isCollectionStandard(standard)) return;
  const bytes = await measureTokens(
    store,
    'token_id',
    tokens.map(({ tokenId }) => tokenId),
  );
  for (const run of runsByWeight(tokens, ({ tokenId }) => bytes.get(tokenId) ?? 0, HELD_BYTES)) {
    const tokenIds = run.map(({ tokenId }) => tokenId);
    const read = new Map((await readTokensById(store, tokenIds)).map((token) => [token.tokenId, token]));
    const documents = await readDocuments(store, tokenIds);
    yield run.map(({ tokenId, tokenNumber, isMinted }) => {
      const token = read.get(tokenId);
      const isThere = isMinted && token !== undefined;
      const facts = isThere ? { contract, standard, token, documents: documents.get(tokenId) ?? [] } : undefined;
      return { key: keyOf(contractId, tokenNumber), stored: facts, bytes: bytes.get(tokenId) ?? 0 };
    });
  }
}
