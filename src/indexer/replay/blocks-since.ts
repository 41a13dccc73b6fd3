// Checks whether all blocks since the deploy of a contract are indexed.
import { countDeploys, readDeployBlock } from '#store/chain/deploys.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { readServed } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';

/** Facts about the blocks since the deploy of a contract. */
export interface BlocksSince {
  /** True if every block since the deploy is indexed. */
  readonly hasAllBlocks: boolean;
  /** True if blocks are missing above the deploy. */
  readonly hasGap: boolean;
  /** True if blocks are missing above several deploys of the contract, so that the canonical deploy is unknown. */
  readonly isAmbiguous: boolean;
}

export async function readBlocksSince(store: StoreReader, contractId: string): Promise<BlocksSince> {
  const contract = await readServed(store, contractId);
  const block = contract && (await readDeployBlock(store, contract.deployId));
  const gap = await readHighestGap(store, { canonical: true });
  const hasGap = contract !== undefined && block !== undefined && gap !== undefined && gap > contract.blockHeight;
  return {
    hasAllBlocks: block !== undefined && !hasGap,
    hasGap,
    isAmbiguous: hasGap && (await countDeploys(store, contractId)) > 1,
  };
}
