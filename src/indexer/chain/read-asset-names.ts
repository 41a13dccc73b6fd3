// Finds which asset of a collection is its tokens: deploys in, names out. A contract may define several.
import type { ContractInterface } from '#model/contract-interface.ts';
import { unpackCode } from '#model/packed-code.ts';
import { readCode } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';

/** The first non-fungible asset of each interface, by deploy; undefined where it has none. */
export async function readAssetNames(
  store: StoreReader,
  deployIds: readonly number[],
): Promise<Map<number, string | undefined>> {
  const code = await readCode(store, deployIds);
  return new Map(
    [...code].map(([deployId, packed]) => {
      const { interfaceJson } = unpackCode(packed);
      const contractInterface =
        interfaceJson === undefined ? undefined : (JSON.parse(interfaceJson) as ContractInterface);
      return [deployId, contractInterface?.non_fungible_tokens[0]?.name];
    }),
  );
}
