// Reads changed fungible tokens and collections, for routes about one of them.

import { definedName, headOf, parseSource } from '#clarity/parse-source.ts';
import type { ContractInterface } from '#model/contract-interface.ts';
import type { FailureCode, Reason } from '#model/failure.ts';
import { type PackedCode, unpackCode } from '#model/packed-code.ts';
import { isSupply, TOKEN_STANDARDS } from '#model/token.ts';
import { inRuns } from '#sqlite/lists.ts';
import { readChainFailuresOf } from '#store/chain/chain-log.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { readSupplies } from '#store/chain/supplies.ts';
import {
  isFungibleToken,
  type ServedContract,
  servedContracts,
  servedContractsAmong,
} from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { countServedTokens } from '#store/status/counts.ts';
import {
  type CollectionCounts,
  type CollectionStates,
  countTokensOf,
  NO_TOKENS,
  readCollectionStates,
} from '#store/tokens/collection-states.ts';
import { readDocuments, type StoredDocument } from '#store/tokens/documents.ts';
import { type Lookalikes, readLookalikes } from '#store/tokens/lookalikes.ts';
import { readTokens, type Token } from '#store/tokens/tokens.ts';
import { type PendingWork, readPendingWork } from '#store/work/jobs.ts';
import type { CuratedFacts } from './overlay.ts';
import { readCollections, type ServedCollection } from './served-collections.ts';
import { isSelected, type RenderOptions, type StoredEntry, type Subject, standardsOf } from './subject.ts';

/** The stored values of a fungible token. */
export interface TokenValues {
  readonly contract: ServedContract;
  readonly token: Token;
  /**
   * The sum of the mints and burns of the token's assets. Undefined if none is known, or if the sum cannot be a supply.
   */
  readonly supply: bigint | undefined;
  readonly code: PackedCode;
}

export interface TokenFacts extends TokenValues {
  readonly documents: readonly StoredDocument[];
  readonly pending: readonly PendingWork[];
  readonly lookalikes: Lookalikes<string> | undefined;
  readonly curated: CuratedFacts | undefined;
}

export interface CollectionFacts extends ServedCollection {
  readonly counts: CollectionCounts;
  readonly states: CollectionStates;
  readonly pending: readonly PendingWork[];
  /** The reason why tokens of the collection may be missing; undefined if all are known. */
  readonly missing: Reason | undefined;
  readonly curated: CuratedFacts | undefined;
}

/** The number of tokens that are read together. Each may have documents of up to a megabyte in several locales. */
const READ_AT_ONCE = 10;
/** The maximum number of tokens that the status of a collection lists for one reason. */
const NAMED_TOKENS = 100;

/** Fungible tokens and collections. If a contract is no longer one of them, its entry is no longer served. */
export const tokens: Subject<TokenFacts | CollectionFacts, TokenFacts | CollectionFacts> = {
  async changes(store, sinceRevision, options) {
    if (sinceRevision === 0) {
      const standards = standardsOf(options) ?? TOKEN_STANDARDS;
      const pages = withTokens(store, servedContracts(store, standards), options);
      return { count: await countServedTokens(store, standards), pages };
    }
    const changed = await changedContracts(store, sinceRevision);
    const ids = [...new Set([...changed.keys(), ...(options.curatedChanges ?? [])])].sort();
    return { count: ids.length, pages: withTokens(store, servedContractsAmong(store, ids), options) };
  },

  among: (store, ids, options) => withTokens(store, servedContractsAmong(store, ids), options),

  open: (facts) => facts,
};

export function isCollectionFacts<Facts>(facts: Facts | CollectionFacts): facts is CollectionFacts {
  return typeof facts === 'object' && facts !== null && 'collection' in facts;
}

/**
 * Returns the name of the first fungible token that a contract defines, in its source if the interface is missing.
 * Undefined if it defines none.
 */
export function assetOf(code: PackedCode): string | undefined {
  const { interfaceJson, source } = unpackCode(code);
  if (interfaceJson !== undefined) return (JSON.parse(interfaceJson) as ContractInterface).fungible_tokens[0]?.name;
  const definition = parseSource(source).find((candidate) => headOf(candidate) === 'define-fungible-token');
  return definition && definedName(definition);
}

/** Yields an entry for each contract. The entry has no data if the contract is neither a token nor a collection. */
export async function* withTokens(
  store: StoreReader,
  pages: AsyncIterable<readonly ServedContract[]>,
  options: RenderOptions,
): AsyncGenerator<StoredEntry<TokenFacts | CollectionFacts>[]> {
  for await (const run of inRuns(pages, READ_AT_ONCE)) {
    const selected = run.filter((contract) => isSelected(contract, options));
    const fungible = await readStored(store, selected, options);
    const collections = await readCollectionFacts(store, selected, options);
    yield run.map(({ contractId }) => ({
      key: contractId,
      stored: fungible.get(contractId) ?? collections.get(contractId),
    }));
  }
}

/** Selects the fungible tokens among the contracts, and reads them by contract id. */
async function readStored(
  store: StoreReader,
  contracts: readonly ServedContract[],
  { overlay }: RenderOptions,
): Promise<Map<string, TokenFacts>> {
  const tokens = await readTokenValues(store, contracts);
  const tokenIds = tokens.map(({ token }) => token.tokenId);
  const documents = await readDocuments(store, tokenIds);
  const pending = await readPendingWork(store, tokenIds);
  const lookalikes = await readLookalikes(store, tokenIds);
  return new Map(
    tokens.map((values) => {
      const { tokenId } = values.token;
      const more = { documents: documents.get(tokenId) ?? [], pending: pending.get(tokenId) ?? [] };
      return [
        values.contract.contractId,
        { ...values, ...more, lookalikes: lookalikes.get(tokenId), curated: overlay?.get(values.contract.contractId) },
      ];
    }),
  );
}

/** The failures of collections whose list of tokens may be incomplete. */
const MAY_LACK_TOKENS: readonly FailureCode[] = ['mints-not-recorded', 'supply-incomplete', 'tokens-not-listed'];

/** Reads the facts of the collections among the contracts. Returns them by contract id. */
async function readCollectionFacts(
  store: StoreReader,
  contracts: readonly ServedContract[],
  { overlay }: RenderOptions,
): Promise<Map<string, CollectionFacts>> {
  const served = await readCollections(store, contracts);
  const deployIds = [...served.values()].map(({ contract }) => contract.deployId);
  const counts = await countTokensOf(store, deployIds);
  const tokenIds = [...served.values()].map(({ collection }) => collection.tokenId);
  const pending = await readPendingWork(store, tokenIds);
  const missing = await readChainFailuresOf(store, MAY_LACK_TOKENS, [...served.keys()]);
  const facts = new Map<string, CollectionFacts>();
  for (const [contractId, collection] of served) {
    const { deployId } = collection.contract;
    facts.set(contractId, {
      ...collection,
      counts: counts.get(deployId) ?? NO_TOKENS,
      states: await readCollectionStates(store, deployId, NAMED_TOKENS),
      pending: pending.get(collection.collection.tokenId) ?? [],
      missing: missing.get(contractId),
      curated: overlay?.get(contractId),
    });
  }
  return facts;
}

/** Selects the fungible tokens among the contracts, and reads their values in the order of the contracts. */
export async function readTokenValues(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<TokenValues[]> {
  const served = contracts.filter(isFungibleToken);
  const deployIds = served.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const assets = [...tokens.values()].flatMap((token) => token.supplyAssets ?? []);
  const supplies = await readSupplies(store, assets);
  const codes = await readCode(store, deployIds);
  return served.flatMap((contract) => {
    const [token, code] = [tokens.get(contract.deployId), codes.get(contract.deployId)];
    if (token === undefined || code === undefined) return [];
    const sum = token.supplyAssets?.reduce((total, asset) => total + (supplies.get(asset) ?? 0n), 0n);
    return [{ contract, token, supply: sum !== undefined && isSupply(sum) ? sum : undefined, code }];
  });
}
