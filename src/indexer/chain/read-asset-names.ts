// Finds which assets of a collection are its tokens: takes deploys, returns names. A contract may define several
// assets, and use all of them (SP2BRB6P0BK6T35DHTGXCV6MZ5TGRN5E0RKZ1T8B5.gated-010 has eight) or one.

import { atomsOf, definedName, parseSource } from '#clarity/parse-source.ts';
import type { ContractInterface } from '#model/contract-interface.ts';
import { type ContractCode, unpackCode } from '#model/packed-code.ts';
import { readCode } from '#store/chain/code-columns.ts';
import type { StoreReader } from '#store/index-database.ts';

/** Returns names by deploy. */
export async function readAssetNames(
  store: StoreReader,
  deployIds: readonly number[],
): Promise<Map<number, ReadonlySet<string>>> {
  const code = await readCode(store, deployIds);
  return new Map([...code].map(([deployId, packed]) => [deployId, assetNamesIn(unpackCode(packed))]));
}

/** Assets whose owners `get-owner` of SIP-009 returns; all assets if it names none directly. */
function assetNamesIn({ source, interfaceJson }: ContractCode): ReadonlySet<string> {
  const contractInterface = interfaceJson === undefined ? undefined : (JSON.parse(interfaceJson) as ContractInterface);
  const all = new Set(contractInterface?.non_fungible_tokens.map(({ name }) => name));
  if (all.size <= 1) return all;
  const getter = parseSource(source).filter((one) => definedName(one) === 'get-owner');
  const named = new Set([...atomsOf(getter)].map(({ text }) => text)).intersection(all);
  return named.size === 0 ? all : named;
}
