// Reads the served collections and their tokens, for routes about collections.
import { COLLECTION_STANDARDS } from '#model/token.ts';
import { isCollection, readServedAmong, type ServedContract, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts, type Entity } from '#store/ledger/ledger.ts';
import { countTokensOf, NO_TOKENS, readFirstTokens } from '#store/tokens/collection-states.ts';
import { hasDocuments, readCollectionDeploys } from '#store/tokens/collections.ts';
import { type DocumentSummary, readDocumentSummaries } from '#store/tokens/documents.ts';
import { readTokens, type Token } from '#store/tokens/tokens.ts';

export interface ServedCollection {
  readonly contract: ServedContract;
  /** The stored token that stands for the collection. It has the values that all tokens of the collection share. */
  readonly collection: Token;
  /**
   * True if a token of the collection has a document. Most collections have no documents: skipping the query for each
   * page of tokens saves a twentieth of a build.
   */
  readonly hasDocuments: boolean;
}

/** Yields the collections among some contracts, by default among all contracts, sorted by contract id. */
export async function* servedCollections(
  store: StoreReader,
  contracts: AsyncIterable<readonly ServedContract[]> = servedContracts(store, COLLECTION_STANDARDS),
): AsyncGenerator<ServedCollection> {
  for await (const page of contracts) yield* (await readCollections(store, page)).values();
}

/** A contract that is or was a collection, and whose tokens may have changed. */
export interface ChangedCollection {
  readonly contractId: string;
  readonly entities: readonly Entity[];
  /** The collection; undefined if the contract is not served as a collection any more. */
  readonly served: ServedCollection | undefined;
  /** The number of minted tokens. */
  readonly minted: number;
}

/** Reads the collections that changed after a revision, sorted by contract id. */
export async function changedCollections(store: StoreReader, sinceRevision: number): Promise<ChangedCollection[]> {
  const changed = await changedContracts(store, sinceRevision, ['contract', 'token', 'collection']);
  const deploys = await readCollectionDeploys(store, [...changed.keys()]);
  const ids = new Set(deploys.map(({ contractId }) => contractId));
  const all = await readCollections(store, await readServedAmong(store, [...ids]));
  const deployIds = [...all.values()].map(({ contract }) => contract.deployId);
  const counts = await countTokensOf(store, deployIds);
  return [...changed].flatMap(([contractId, entities]): ChangedCollection[] => {
    if (!ids.has(contractId)) return [];
    const served = all.get(contractId);
    const { minted } = (served && counts.get(served.contract.deployId)) ?? NO_TOKENS;
    return [{ contractId, entities, served, minted }];
  });
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Selects the collections among the contracts, and reads them by contract id. Keeps the order of the contracts. */
export async function readCollections(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<Map<string, ServedCollection>> {
  const collections = contracts.filter(isCollection);
  const deployIds = collections.map(({ deployId }) => deployId);
  const rows = await readTokens(store, deployIds);
  const served = new Map<string, ServedCollection>();
  for (const contract of collections) {
    const { contractId, deployId } = contract;
    const collection = rows.get(deployId);
    if (collection === undefined) continue;
    served.set(contractId, { contract, collection, hasDocuments: await hasDocuments(store, deployId) });
  }
  return served;
}

/**
 * Reads the document of each collection's first token, by the id of the deploy. Lists show this document for the
 * collection.
 */
export async function readFirstDocuments(
  store: StoreReader,
  collections: readonly ServedContract[],
): Promise<Map<number, DocumentSummary | undefined>> {
  const deployIds = collections.map(({ deployId }) => deployId);
  const firsts = await readFirstTokens(store, deployIds);
  const documents = await readDocumentSummaries(store, [...firsts.values()]);
  return new Map([...firsts].map(([deployId, tokenId]) => [deployId, documents.get(tokenId)]));
}
