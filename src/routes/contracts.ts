// Reads changed contracts and their code, for routes about contracts.

import { type ContractCode, type PackedCode, unpackCode } from '#model/packed-code.ts';
import { inRuns } from '#sqlite/lists.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { type ServedContract, servedContracts, servedContractsAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { countAllContracts, countServedTokens } from '#store/status/counts.ts';
import { isSelected, type RenderOptions, type StoredEntry, type Subject, standardsOf } from './subject.ts';

/** The number of contracts that are read together, which limits the memory for their code. */
const READ_AT_ONCE = 50;

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
  for await (const run of inRuns(pages, READ_AT_ONCE)) {
    const deployIds = run.map((contract) => contract.deployId);
    const codes = await readCode(store, deployIds);
    yield run.map((contract) => {
      const code = isSelected(contract, options) ? codes.get(contract.deployId) : undefined;
      return { key: contract.contractId, stored: code && { contract, code } };
    });
  }
}
