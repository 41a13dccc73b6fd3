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
  readSourceFamilies,
  type SourceFamily,
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

/** Finding the first of a larger family reads too much to do it for each page of contracts again. */
const MOST_READ_AGAIN = 8;

/** Reads pages of contracts, each by contract id. A reader is for one state of the index. */
export function contractCallsReader(store: StoreReader) {
  const large = new Map<string, SourceFamily>();
  return async (contracts: readonly ServedContract[]): Promise<Map<string, ContractCalls>> => {
    const contractIds = contracts.map(({ contractId }) => contractId);
    const callers = await readCallers(store, contractIds);
    const deploys = (await readDeployedSources(store, contractIds)).filter(({ isServed }) => isServed);
    const sources = new Map(deploys.map(({ contractId, sourceHash }) => [contractId, sourceHash]));
    const families = await readFamilies(new Set(sources.values()));
    const familyOf = (contractId: string) => families.get(sources.get(contractId) ?? '');
    const firsts = contractIds.filter((contractId) => familyOf(contractId)?.first === contractId);
    const hashes = firsts.map((contractId) => sources.get(contractId) ?? '');
    const copied = hashes.filter((hash) => (families.get(hash)?.members ?? 0) > 1);
    const groups = await readContractsBySource(store, copied);
    return new Map(
      contractIds.map((contractId) => {
        const first = familyOf(contractId)?.first ?? contractId;
        const [, ...copies] = first === contractId ? (groups.get(sources.get(contractId) ?? '') ?? []) : [];
        const original = first === contractId ? undefined : first;
        return [contractId, { callers: callers.get(contractId) ?? [], original, copies }];
      }),
    );
  };

  async function readFamilies(hashes: ReadonlySet<string>): Promise<ReadonlyMap<string, SourceFamily>> {
    const families = await readSourceFamilies(
      store,
      [...hashes].filter((hash) => !large.has(hash)),
    );
    for (const [hash, family] of families) if (family.members > MOST_READ_AGAIN) large.set(hash, family);
    for (const hash of hashes) {
      const family = large.get(hash);
      if (family !== undefined) families.set(hash, family);
    }
    return families;
  }
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
  const families = await readSourceFamilies(store, [...bySource.keys()]);
  const mayHaveBeenFirst = ({ isServed, isIncludedOnce }: DeployedSource) => !isIncludedOnce || !isServed;
  const isOtherFirst = ([hash, { first }]: [string, SourceFamily]) =>
    changedIds.has(first) || bySource.get(hash)?.some(mayHaveBeenFirst) === true;
  const hashes = [...families].filter(isOtherFirst).map(([hash]) => hash);
  const groups = await readContractsBySource(store, hashes);
  return [...families].flatMap(([hash, { first }]) => groups.get(hash) ?? [first]);
}

/** Approximate memory. */
export function measureCalls(calls: ContractCalls | undefined): number {
  return calls === undefined ? 0 : (calls.callers.length + calls.copies.length) * ROW_BYTES;
}
