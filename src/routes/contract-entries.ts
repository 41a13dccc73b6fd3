// Renders an entry for each contract that changed, for the routes that serve what was deployed.
import { type ContractCode, unpackCode } from '#model/packed-code.ts';
import { changedContracts, readCode, type ServedContract } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { Entry, Page } from './route.ts';

/** Contracts in the order of their ids; one that `render` gives no pages for is not served. */
export async function* contractEntries(
  store: StoreReader,
  sinceRevision: number,
  render: (contract: ServedContract, code: ContractCode) => Page[],
): AsyncGenerator<Entry> {
  for await (const contracts of changedContracts(store, sinceRevision)) {
    const code = await readCode(
      store,
      contracts.map((contract) => contract.deployId),
    );
    for (const contract of contracts) {
      const ownCode = code.get(contract.deployId);
      yield { key: contract.contractId, pages: ownCode === undefined ? [] : render(contract, unpackCode(ownCode)) };
    }
  }
}
