// The subject of the routes that serve contracts.
import { type ContractCode, type PackedCode, unpackCode } from '#model/packed-code.ts';
import { measureCode, readCode, type ServedContract, servedContracts, servedContractsAmong } from '#store/contracts.ts';
import { countAllContracts } from '#store/count-contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger.ts';
import { runsByWeight } from '#store/lists.ts';
import { ofOwnShard } from '#store/own-shard.ts';
import { HELD_BYTES, type StoredEntry, type Subject } from './subject.ts';

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
  spans: 'contract',

  async changes(store, sinceRevision) {
    if (sinceRevision === 0)
      return { count: await countAllContracts(store), pages: withCode(store, servedContracts(store)) };
    const ids = [...(await changedContracts(store, sinceRevision, ['contract'])).keys()];
    return { count: ids.length, pages: withCode(store, servedContractsAmong(store, ids)) };
  },

  open: ({ contract, code }) => ({ contract, code: unpackCode(code) }),
};

async function* withCode(
  store: StoreReader,
  pages: AsyncIterable<readonly ServedContract[]>,
): AsyncGenerator<StoredEntry<StoredContract>[]> {
  for await (const all of pages) {
    // Of tokens, the index of a shard has its own alone.
    const page = await ofOwnShard(store, all, ({ contractId }) => contractId);
    const deployIds = page.map((contract) => contract.deployId);
    const bytes = await measureCode(store, deployIds);
    const bytesOf = ({ deployId }: ServedContract) => bytes.get(deployId) ?? 0;
    for (const run of runsByWeight(page, bytesOf, HELD_BYTES)) {
      const codes = await readCode(
        store,
        run.map((contract) => contract.deployId),
      );
      yield run.map((contract) => {
        const code = codes.get(contract.deployId);
        return { key: contract.contractId, stored: code && { contract, code }, bytes: bytesOf(contract) };
      });
    }
  }
}
