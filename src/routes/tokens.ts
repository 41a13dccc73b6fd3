// The subject of the routes that serve fungible tokens.
import type { ContractInterface } from '#model/contract-interface.ts';
import { type PackedCode, unpackCode } from '#model/packed-code.ts';
import { isSupply } from '#model/token.ts';
import {
  isFungibleToken,
  readCode,
  type ServedContract,
  servedContracts,
  servedContractsAmong,
} from '#store/contracts.ts';
import { countTokenStates } from '#store/count-contracts.ts';
import { readDocuments, type StoredDocument } from '#store/documents.ts';
import { readImages, type StoredImage } from '#store/images.ts';
import type { StoreReader } from '#store/index-database.ts';
import { type PendingWork, readPendingWork } from '#store/jobs.ts';
import { changedContracts, type Entity } from '#store/ledger.ts';
import { readSupplies } from '#store/supplies.ts';
import { readTokens, type Token } from '#store/tokens.ts';
import type { StoredEntry, Subject } from './subject.ts';

/** All that is stored about a token. */
export interface TokenFacts {
  readonly contract: ServedContract;
  readonly contractInterface: ContractInterface;
  readonly token: Token;
  /** The sum of the supply assets, if there are any and it is possible. */
  readonly supply: bigint | undefined;
  readonly documents: readonly StoredDocument[];
  readonly pending: readonly PendingWork[];
  /** Images that the documents name, by URI. */
  readonly images: ReadonlyMap<string, StoredImage>;
}

type ReadToken = Omit<TokenFacts, 'contractInterface'>;
type StoredToken = ReadToken & { readonly code: PackedCode };

/** A contract that is no token (any more) is not served. */
export const tokens: Subject<StoredToken, TokenFacts> = {
  name: 'tokens',

  async changes(store, sinceRevision) {
    if (sinceRevision === 0) {
      const { queued, complete, partial, error } = await countTokenStates(store);
      const pages = withTokens(store, servedContracts(store, 'fungible-tokens'));
      return { count: queued + complete + partial + error, pages };
    }
    const changed = await changedContracts(store, sinceRevision);
    const contracts = servedContractsAmong(store, [...changed.keys()]);
    return { count: changed.size, pages: withTokens(store, contracts, changed) };
  },

  open({ code, ...stored }) {
    return { ...stored, contractInterface: JSON.parse(unpackCode(code).interfaceJson ?? '') as ContractInterface };
  },
};

/** The contracts with what is stored about those that are tokens. */
export async function* withTokens(
  store: StoreReader,
  pages: AsyncIterable<readonly ServedContract[]>,
  changed?: ReadonlyMap<string, readonly Entity[]>,
): AsyncGenerator<StoredEntry<StoredToken>[]> {
  for await (const page of pages) {
    const tokens = await readTokenPage(store, page);
    const deployIds = [...tokens.values()].map(({ contract }) => contract.deployId);
    const codes = await readCode(store, deployIds);
    yield page.map(({ contractId, deployId }) => {
      const token = tokens.get(contractId);
      const code = codes.get(deployId);
      const stored = token === undefined || code === undefined ? undefined : { ...token, code };
      return { key: contractId, stored, changed: changed?.get(contractId) };
    });
  }
}

/** What is stored about the contracts that are tokens, by contract id, in the order of the contracts. */
async function readTokenPage(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<Map<string, ReadToken>> {
  const served = contracts.filter(isFungibleToken);
  const deployIds = served.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const tokenIds = [...tokens.values()].map((token) => token.tokenId);
  const assets = [...tokens.values()].flatMap((token) => token.supplyAssets ?? []);
  const documents = await readDocuments(store, tokenIds);
  const supplies = await readSupplies(store, assets);
  const pending = await readPendingWork(store, tokenIds);
  const imageUris = [...documents.values()].flat().flatMap(({ document }) => document?.image ?? []);
  const images = await readImages(store, imageUris);

  const page = new Map<string, ReadToken>();
  for (const contract of served) {
    const token = tokens.get(contract.deployId);
    if (token === undefined) continue;
    const sum = token.supplyAssets?.reduce((total, asset) => total + (supplies.get(asset) ?? 0n), 0n);
    page.set(contract.contractId, {
      contract,
      token,
      supply: sum !== undefined && isSupply(sum) ? sum : undefined,
      documents: documents.get(token.tokenId) ?? [],
      pending: pending.get(token.tokenId) ?? [],
      images,
    });
  }
  return page;
}
