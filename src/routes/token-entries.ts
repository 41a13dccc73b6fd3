// Renders an entry for each fungible token that changed, for the routes that serve tokens.
import type { ContractInterface } from '#model/contract-interface.ts';
import { isSupply } from '#model/token.ts';
import { changedContracts, parseInterface, readCode, type ServedContract } from '#store/contracts.ts';
import { readDocuments, type StoredDocument } from '#store/documents.ts';
import { readImages, type StoredImage } from '#store/images.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type PendingWork, readPendingWork } from '#store/jobs.ts';
import { readSupplies } from '#store/supplies.ts';
import { readTokens, type Token } from '#store/tokens.ts';
import type { Entry, Page } from './route.ts';

/** All that is stored about a token. */
export interface TokenFacts {
  readonly contract: ServedContract;
  readonly contractInterface: ContractInterface;
  readonly token: Token;
  /** Sum of the supply assets, where the supply is such a sum and is one that can be. */
  readonly supply: bigint | undefined;
  readonly documents: readonly StoredDocument[];
  readonly pending: readonly PendingWork[];
  /** Images that the documents name, by URI. */
  readonly images: ReadonlyMap<string, StoredImage>;
}

/** Whether a token is answered with status 200. */
export function hasAnswer({ state }: Token): boolean {
  return state === 'complete' || state === 'partial';
}

/** Contracts in the order of their ids; one that is no token (any more) has no pages. */
export async function* tokenEntries(
  store: StoreReader,
  sinceRevision: number,
  render: (facts: TokenFacts) => Page[],
): AsyncGenerator<Entry> {
  for await (const contracts of changedContracts(store, sinceRevision)) {
    const facts = await readFacts(store, contracts);
    for (const { contractId } of contracts) {
      const own = facts.get(contractId);
      yield { key: contractId, pages: own === undefined ? [] : render(own) };
    }
  }
}

/** Facts about those of the contracts that are tokens, by contract id, in the order of the contracts. */
export async function readFacts(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<Map<string, TokenFacts>> {
  const served = contracts.filter(
    (contract) => contract.standard === 'sip-010' && contract.canonical && contract.confirmed,
  );
  const deployIds = served.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const tokenIds = [...tokens.values()].map((token) => token.tokenId);
  const assets = [...tokens.values()].flatMap((token) => token.supplyAssets ?? []);
  const code = await readCode(store, deployIds);
  const documents = await readDocuments(store, tokenIds);
  const supplies = await readSupplies(store, assets);
  const pending = await readPendingWork(store, tokenIds);
  const imageUris = [...documents.values()].flat().flatMap(({ document }) => document?.image ?? []);
  const images = await readImages(store, imageUris);

  const facts = new Map<string, TokenFacts>();
  for (const contract of served) {
    const token = tokens.get(contract.deployId);
    const contractInterface = parseInterface(code.get(contract.deployId));
    if (token === undefined || contractInterface === undefined) continue;
    const sum = token.supplyAssets?.reduce((total, asset) => total + (supplies.get(asset) ?? 0n), 0n);
    facts.set(contract.contractId, {
      contract,
      contractInterface,
      token,
      supply: sum !== undefined && isSupply(sum) ? sum : undefined,
      documents: documents.get(token.tokenId) ?? [],
      pending: pending.get(token.tokenId) ?? [],
      images,
    });
  }
  return facts;
}
