// Reads all contracts of an address from the blocks of search/contracts that are by address, block by block.
import { type ContractFence, findContracts } from './find-contracts.ts';
import { ask } from './site.ts';

/** Ids of contracts, so far, and whether these are all. */
export interface Deployed {
  readonly ids: readonly string[];
  readonly isWhole: boolean;
}

/** More blocks at once than one is a wait that a reader sees. */
const FIRST = 100;

/** `show` says whether to go on. */
export async function readDeployer(address: string, show: (deployed: Deployed) => boolean): Promise<void> {
  const fence = await ask<ContractFence>('search/contracts/index.json');
  for (let enough = FIRST; ; enough *= 4) {
    // Blocks that were read are known, so each is asked once.
    const { found, read, of } = await findContracts(
      fence,
      (id) => ask(`search/contracts/${id}`),
      `${address}.`,
      enough,
    );
    const isWhole = read === of;
    if (!show({ ids: found, isWhole }) || isWhole) return;
  }
}
