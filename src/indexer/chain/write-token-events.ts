// Stores how blocks mint and burn tokens of collections.
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import type { ContractInterface } from '#model/contract-interface.ts';
import { type ContractCode, unpackCode } from '#model/packed-code.ts';
import { readCode } from '#store/chain/code-columns.ts';
import type { StoreReader, StoreWriter } from '#store/index-database.ts';
import { insertTokenEvents, readCollectionDeploys } from '#store/tokens/collections.ts';
import type { AddedBlock } from '../new-block.ts';

/**
 * Stores mints and burns on all forks, for every deploy of a collection. Returns the deploys with new tokens. The
 * responses of a build count only canonical mints and burns.
 */
export async function writeTokenEvents(
  store: StoreWriter,
  added: readonly AddedBlock[],
  maxNftTokens: number,
): Promise<Iterable<number>> {
  const events = added.flatMap(({ event, block: { blockId } }) =>
    event.tokenEvents.map((tokenEvent) => ({ ...tokenEvent, blockId })),
  );
  if (events.length === 0) return [];
  const contractIds = [...new Set(events.map(({ contractId }) => contractId))];
  const collections = await readCollectionDeploys(store, contractIds);
  const deploys = Map.groupBy(collections, ({ contractId }) => contractId);
  const nonFungible = collections.flatMap(({ deployId, standard }) => (standard === 'sip-009' ? [deployId] : []));
  const assetNames = await readAssetNames(store, nonFungible);
  const deployEvents = events.flatMap(({ contractId, isOfOwner, assetName, ...event }) =>
    (deploys.get(contractId) ?? []).flatMap(({ deployId, standard }) => {
      const isSemiFungible = standard === 'sip-013';
      const isOtherAsset = assetName !== undefined && assetNames.get(deployId)?.has(assetName) !== true;
      if (isSemiFungible ? !event.minted : isOfOwner || isOtherAsset) return [];
      return [{ ...event, deployId, burned: !isSemiFungible && event.burned }];
    }),
  );
  return insertTokenEvents(store, deployEvents, maxNftTokens);
}

/**
 * Finds the assets that are the tokens of a collection. Returns asset names by deploy id. A contract may define several
 * assets and use all of them (SP2BRB6P0BK6T35DHTGXCV6MZ5TGRN5E0RKZ1T8B5.gated-010 has eight), or only one.
 */
async function readAssetNames(
  store: StoreReader,
  deployIds: readonly number[],
): Promise<Map<number, ReadonlySet<string>>> {
  const code = await readCode(store, deployIds);
  return new Map([...code].map(([deployId, packed]) => [deployId, assetNamesIn(unpackCode(packed))]));
}

/** Returns the names of the assets that `get-owner` refers to directly; all assets if it refers to none directly. */
function assetNamesIn({ source, interfaceJson }: ContractCode): ReadonlySet<string> {
  const contractInterface = interfaceJson === undefined ? undefined : (JSON.parse(interfaceJson) as ContractInterface);
  const assets = contractInterface?.non_fungible_tokens.map(({ name }) => name);
  if (assets !== undefined && assets.length <= 1) return new Set(assets);
  const definitions = parseSource(source);
  const defined = definitions
    .filter((definition) => headOf(definition) === 'define-non-fungible-token')
    .flatMap(nameDefined);
  const all = new Set(assets ?? defined);
  const getter = definitions.filter((definition) => definedName(definition) === 'get-owner');
  const named = new Set([...atomsOf(getter)].map(({ text }) => text)).intersection(all);
  return named.size === 0 ? all : named;
}

function nameDefined(definition: Expression): string[] {
  const name = atomOf(itemsOf(definition)[1]);
  return name === undefined ? [] : [name];
}
