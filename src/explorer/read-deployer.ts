// Reads all contracts of an address from the blocks of search/contracts that are by address.
import { AT_ONCE, type BlockRow, blocksOf, type ContractFence } from './find-contracts.ts';

/** Ids of contracts, so far, and whether these are all. */
export interface Deployed {
  readonly ids: readonly string[];
  readonly isWhole: boolean;
}

type ReadBlock = (id: string) => Promise<readonly BlockRow[]>;

/** `show` says whether to go on. */
export async function readDeployer(
  { addresses }: Pick<ContractFence, 'addresses'>,
  readBlock: ReadBlock,
  address: string,
  show: (deployed: Deployed) => boolean,
): Promise<void> {
  const blocks = blocksOf(addresses, `${address}.`);
  const ids: string[] = [];
  for (let isWhole = false; !isWhole; ) {
    const rows = await Promise.all(blocks.splice(0, AT_ONCE).map(([, id]) => readBlock(id)));
    isWhole = blocks.length === 0;
    for (const [own, ...names] of rows.flat()) if (own === address) ids.push(...names.map((name) => `${own}.${name}`));
    if (!show({ ids: [...ids], isWhole })) return;
  }
}
