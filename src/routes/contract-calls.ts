// Reads what other contracts say about contracts: who calls them, and who has the very same source.

import { findCalledNames } from '#clarity/find-calls.ts';
import { type PackedCode, unpackCode } from '#model/packed-code.ts';
import { splitContractId } from '#model/principal.ts';
import { runsByWeight } from '#sqlite/lists.ts';
import { measureCode, readCode } from '#store/chain/code-columns.ts';
import {
  type Caller,
  type DeployedSource,
  readCallers,
  readContractsBySource,
  readDeployedSources,
} from '#store/contracts/call-graph.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { HELD_BYTES } from './subject.ts';

/** A row of a list: a contract id, and often a function. */
const ROW_BYTES = 200;

export interface ContractCalls {
  /** In the order of their deploys. */
  readonly callers: readonly Caller[];
  /** The first contract with the very same source, if it is another one. */
  readonly original: string | undefined;
  /** The others with its source, if it is the first, in the order of their deploys. */
  readonly copies: readonly string[];
}

/** By contract id. */
export async function readContractCalls(
  store: StoreReader,
  contracts: readonly ServedContract[],
): Promise<Map<string, ContractCalls>> {
  const contractIds = contracts.map(({ contractId }) => contractId);
  const callers = await readCallers(store, contractIds);
  const sources = new Map((await readDeployedSources(store, contractIds)).map((one) => [one.deployId, one.sourceHash]));
  const groups = await readContractsBySource(store, [...new Set(sources.values())]);
  return new Map(
    contracts.map(({ contractId, deployId, canonical }) => {
      const group = canonical ? (groups.get(sources.get(deployId) ?? '') ?? []) : [];
      const [first = contractId, ...others] = group;
      const ofSource = first === contractId ? { original: undefined, copies: others } : { original: first, copies: [] };
      return [contractId, { callers: callers.get(contractId) ?? [], ...ofSource }];
    }),
  );
}

/** Ids of contracts that changed ones call or copy, on any fork: others call and copy them now. */
export async function findAffected(store: StoreReader, changedIds: readonly string[]): Promise<Set<string>> {
  const sources = await readDeployedSources(store, changedIds);
  const affected = new Set(await findCopied(store, sources, new Set(changedIds)));
  const idOf = new Map(sources.map(({ deployId, contractId }) => [deployId, contractId]));
  for await (const [deployId, code] of codesOf(store, [...idOf.keys()])) {
    const { address } = splitContractId(idOf.get(deployId) ?? '');
    for (const name of findCalledNames(unpackCode(code).source, address))
      affected.add(name.slice(0, name.indexOf(' ')));
  }
  return affected;
}

/** The code of each deploy; no more is held at once than of a page. */
export async function* codesOf(
  store: StoreReader,
  deployIds: readonly number[],
): AsyncGenerator<readonly [deployId: number, code: PackedCode]> {
  const bytes = await measureCode(store, deployIds);
  for (const run of runsByWeight(deployIds, (deployId) => bytes.get(deployId) ?? 0, HELD_BYTES))
    yield* await readCode(store, run);
}

/** The first contract with each source; all of them if another may have been the first before. */
async function findCopied(
  store: StoreReader,
  sources: readonly DeployedSource[],
  changedIds: ReadonlySet<string>,
): Promise<string[]> {
  const bySource = Map.groupBy(sources, ({ sourceHash }) => sourceHash);
  const groups = await readContractsBySource(store, [...bySource.keys()]);
  return [...groups].flatMap(([hash, [first = '', ...copies]]) => {
    const mayHaveBeenFirst = ({ contractId, isIncludedOnce }: DeployedSource) =>
      !isIncludedOnce || !copies.includes(contractId);
    const isOtherFirst = changedIds.has(first) || bySource.get(hash)?.some(mayHaveBeenFirst) === true;
    return isOtherFirst ? [first, ...copies] : [first];
  });
}

/** Approximate memory. */
export function measureCalls(calls: ContractCalls | undefined): number {
  return calls === undefined ? 0 : (calls.callers.length + calls.copies.length) * ROW_BYTES;
}
