// Reads the served collections and their tokens from the index, for the routes about them.
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
  /** The collection's own row, with the values that all of its tokens share. */
  readonly collection: Token;
  /** For most collections none was fetched: a look-up for each page of tokens costs a build a twentieth. */
  readonly hasDocuments: boolean;
}

/** Those among contracts, by default all; sorted by contract id. */
export async function* servedCollections(
  store: StoreReader,
  contracts: AsyncIterable<readonly ServedContract[]> = servedContracts(store, COLLECTION_STANDARDS),
): AsyncGenerator<ServedCollection> {
  for await (const page of contracts) yield* (await readCollections(store, page)).values();
}

/** A collection, or a contract that was one, with a token that may have changed. */
export interface ChangedCollection {
  readonly contractId: string;
  readonly entities: readonly Entity[];
  /** Undefined if it is not served as a collection (any more). */
  readonly served: ServedCollection | undefined;
  /** How many tokens it has. */
  readonly minted: number;
}

/** Sorted by contract id. */
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

/** Collections by contract id, in the order of the contracts; others are left out. */
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

/** The document of each collection's first token, by deploy id, which lists show for the collection. */
export async function readFirstDocuments(
  store: StoreReader,
  collections: readonly ServedContract[],
): Promise<Map<number, DocumentSummary | undefined>> {
  const deployIds = collections.map(({ deployId }) => deployId);
  const firsts = await readFirstTokens(store, deployIds);
  const documents = await readDocumentSummaries(store, [...firsts.values()]);
  return new Map([...firsts].map(([deployId, tokenId]) => [deployId, documents.get(tokenId)]));
}
