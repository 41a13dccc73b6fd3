// Reads changed contracts and their code, for routes about contracts.

import { type ContractCode, type PackedCode, unpackCode } from '#model/packed-code.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import { measureCode, readCode } from '#store/chain/code-columns.ts';
import { type ServedContract, servedContracts, servedContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { countAllContracts, countServedTokens } from '#store/status/count-contracts.ts';
import {
  BUFFERED_BYTES,
  isSelected,
  type RenderOptions,
  type StoredEntry,
  type Subject,
  standardsOf,
} from './subject.ts';

export interface ContractFacts<Code = ContractCode> {
  readonly contract: ServedContract;
  readonly code: Code;
}

export const contracts: Subject<ContractFacts<PackedCode>, ContractFacts> = {
  async changes(store, sinceRevision, options) {
    const standards = standardsOf(options);
    if (sinceRevision === 0) {
      const count = await (standards === undefined ? countAllContracts(store) : countServedTokens(store, standards));
      return { count, pages: withCode(store, servedContracts(store, standards), options) };
    }
    const ids = [...(await changedContracts(store, sinceRevision, ['contract'])).keys()];
    return { count: ids.length, pages: withCode(store, servedContractsAmong(store, ids), options) };
  },

  among: (store, ids, options) => withCode(store, servedContractsAmong(store, ids), options),

  open: ({ code, ...stored }) => ({ ...stored, code: unpackCode(code) }),
};

async function* withCode(
  store: StoreReader,
  pages: AsyncIterable<readonly ServedContract[]>,
  options: RenderOptions,
): AsyncGenerator<StoredEntry<ContractFacts<PackedCode>>[]> {
  for await (const page of pages) {
    const deployIds = page.map((contract) => contract.deployId);
    const bytes = await measureCode(store, deployIds);
    const bytesOf = ({ deployId }: ServedContract) => bytes.get(deployId) ?? 0;
    for (const run of batchesByWeight(page, bytesOf, BUFFERED_BYTES)) {
      const runDeployIds = run.map((contract) => contract.deployId);
      const codes = await readCode(store, runDeployIds);
      yield run.map((contract) => {
        const code = isSelected(contract, options) ? codes.get(contract.deployId) : undefined;
        const stored = code && { contract, code };
        return { key: contract.contractId, stored, bytes: bytesOf(contract) };
      });
    }
  }
}
