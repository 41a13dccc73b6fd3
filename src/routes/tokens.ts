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
import type { StoreReader } from '#store/index-database.ts';
import { type PendingWork, readPendingWork } from '#store/jobs.ts';
import { changedContracts, type Entity } from '#store/ledger.ts';
import { runsByWeight } from '#store/lists.ts';
import { readSupplies } from '#store/supplies.ts';
import { measureTokens, readTokens, type Token } from '#store/tokens.ts';
import { HELD_BYTES, type StoredEntry, type Subject } from './subject.ts';

/** What all views of a token show. */
export interface TokenValues {
  readonly contract: ServedContract;
  readonly token: Token;
  /** The sum of the supply assets, if there are any and it is possible. */
  readonly supply: bigint | undefined;
}

/** All that is stored about a token. */
export interface TokenFacts extends TokenValues {
  readonly contractInterface: ContractInterface;
  readonly documents: readonly StoredDocument[];
  readonly pending: readonly PendingWork[];
}

type StoredToken = Omit<TokenFacts, 'contractInterface'> & { readonly code: PackedCode };

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
    return { ...stored, contractInterface: openInterface(code) };
  },
};

export function openInterface(code: PackedCode): ContractInterface {
  return JSON.parse(unpackCode(code).interfaceJson ?? '') as ContractInterface;
}

/** The contracts with what is stored about those that are tokens. */
export async function* withTokens(
  store: StoreReader,
  pages: AsyncIterable<readonly ServedContract[]>,
  changed?: ReadonlyMap<string, readonly Entity[]>,
): AsyncGenerator<StoredEntry<StoredToken>[]> {
  for await (const page of pages) {
    const deployIds = page.map(({ deployId }) => deployId);
    const bytes = await measureTokens(store, 'deploy_id', deployIds);
    const bytesOf = ({ deployId }: ServedContract) => bytes.get(deployId) ?? 0;
    for (const run of runsByWeight(page, bytesOf, HELD_BYTES)) {
      const stored = await readStored(store, run);
      yield run.map((contract) => ({
        key: contract.contractId,
        stored: stored.get(contract.contractId),
        changed: changed?.get(contract.contractId),
        bytes: bytesOf(contract),
      }));
    }
  }
}

/** By contract id, of those that are tokens. */
async function readStored(store: StoreReader, contracts: readonly ServedContract[]): Promise<Map<string, StoredToken>> {
  const tokens = await readTokenValues(store, contracts);
  const tokenIds = tokens.map(({ token }) => token.tokenId);
  const documents = await readDocuments(store, tokenIds);
  const pending = await readPendingWork(store, tokenIds);
  const deployIds = tokens.map(({ contract }) => contract.deployId);
  const codes = await readCode(store, deployIds);
  const stored = new Map<string, StoredToken>();
  for (const values of tokens) {
    const { contractId, deployId } = values.contract;
    const { tokenId } = values.token;
    const code = codes.get(deployId);
    if (code === undefined) continue;
    const more = { documents: documents.get(tokenId) ?? [], pending: pending.get(tokenId) ?? [], code };
    stored.set(contractId, { ...values, ...more });
  }
  return stored;
}

/** The values of the contracts that are tokens, in the order of the contracts. */
export async function readTokenValues(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<TokenValues[]> {
  const served = contracts.filter(isFungibleToken);
  const deployIds = served.map((contract) => contract.deployId);
  const tokens = await readTokens(store, deployIds);
  const assets = [...tokens.values()].flatMap((token) => token.supplyAssets ?? []);
  const supplies = await readSupplies(store, assets);
  return served.flatMap((contract) => {
    const token = tokens.get(contract.deployId);
    if (token === undefined) return [];
    const sum = token.supplyAssets?.reduce((total, asset) => total + (supplies.get(asset) ?? 0n), 0n);
    return [{ contract, token, supply: sum !== undefined && isSupply(sum) ? sum : undefined }];
  });
}
