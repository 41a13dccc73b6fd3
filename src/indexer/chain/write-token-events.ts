// Stores the effects of blocks on tokens of collections.
import type { StoreWriter } from '#store/index-database.ts';
import { ofOwnShard } from '#store/index-info.ts';
import { insertTokenEvents, readCollectionDeploys } from '#store/tokens/collections.ts';
import type { AddedBlock } from '../added-block.ts';
import { readAssetNames } from './read-asset-names.ts';
/**
 * Stores mints and burns for every deploy that is a collection, on any fork; only canonical ones count in answers.
 * Returns the deploys with new tokens.
 */
export async function writeTokenEvents(
  store: StoreWriter,
  added: readonly AddedBlock[],
  maxNftTokens: number,
): Promise<Iterable<number>> {
  const all = added.flatMap(({ event, block: { blockId } }) => event.tokenEvents.map((one) => ({ ...one, blockId })));
  const events = await ofOwnShard(store, all, ({ contractId }) => contractId);
  if (events.length === 0) return [];
  const contractIds = [...new Set(events.map(({ contractId }) => contractId))];
  const collections = await readCollectionDeploys(store, contractIds);
  const deploys = Map.groupBy(collections, ({ contractId }) => contractId);
  const nonFungible = collections.flatMap(({ deployId, standard }) => (standard === 'sip-009' ? [deployId] : []));
  const assetNames = await readAssetNames(store, nonFungible);
  const ofDeploys = events.flatMap(({ contractId, isOfOwner, assetName, ...event }) =>
    (deploys.get(contractId) ?? []).flatMap(({ deployId, standard }) => {
      const isSemiFungible = standard === 'sip-013';
      const isOtherAsset = assetName !== undefined && assetNames.get(deployId)?.has(assetName) !== true;
      if (isSemiFungible ? !event.minted : isOfOwner || isOtherAsset) return [];
      return [{ ...event, deployId, burned: !isSemiFungible && event.burned }];
    }),
  );
  return insertTokenEvents(store, ofDeploys, maxNftTokens);
}
