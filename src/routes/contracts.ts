// The subject of the routes that serve what was deployed.
import { type ContractCode, type PackedCode, unpackCode } from '#model/packed-code.ts';
import { changedContracts, countChanged, readCode, type ServedContract } from '#store/contracts.ts';
import type { Subject } from './subject.ts';

interface StoredContract {
  readonly contract: ServedContract;
  readonly code: PackedCode;
}

export interface ContractFacts {
  readonly contract: ServedContract;
  readonly code: ContractCode;
}

export const contracts: Subject<StoredContract, ContractFacts> = {
  name: 'contracts',
  count: countChanged,

  async *changed(store, sinceRevision) {
    for await (const page of changedContracts(store, sinceRevision)) {
      const code = await readCode(
        store,
        page.map((contract) => contract.deployId),
      );
      yield page.map((contract) => {
        const ownCode = code.get(contract.deployId);
        return { key: contract.contractId, stored: ownCode === undefined ? undefined : { contract, code: ownCode } };
      });
    }
  },

  open: ({ contract, code }) => ({ contract, code: unpackCode(code) }),
};
