// Finds the contracts that a token refers to, directly or indirectly, and that were deployed before it, in chain order.
import { findReferences } from '#clarity/find-references.ts';
import { EPOCHS, type EpochName, NEWEST_CLARITY_VERSION } from '#model/chain.ts';
import { unpackCode } from '#model/packed-code.ts';
import { readCode, readServed, type ServedContract } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { DeployedSource } from '#vm/evaluator.ts';

/** ALEX's vaults reach about 40; more than this is an attack. */
const MAX_CONTRACTS = 250;

export interface Closure {
  /** Undefined if the token's own source cannot be evaluated. */
  readonly token: DeployedSource | undefined;
  readonly dependencies: readonly DeployedSource[];
  /** Ids of all contracts that were looked for: if one changes or appears, the closure may be another. */
  readonly inputs: readonly string[];
}

/** Leaves out what is not in the index: the VM finds whether it matters. */
export async function findClosure(store: StoreReader, token: ServedContract): Promise<Closure> {
  const found = new Map<string, { contract: ServedContract; source: DeployedSource }>();
  const seen = new Set([token.contractId]);
  const open: ServedContract[] = [token];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const code = (await readCode(store, [next.deployId])).get(next.deployId);
    const source = code === undefined ? undefined : toSource(next, unpackCode(code).source);
    if (source === undefined) continue;
    found.set(next.contractId, { contract: next, source });
    if (found.size >= MAX_CONTRACTS) break;
    for (const contractId of findReferences(source.sourceCode, next.senderAddress)) {
      if (seen.has(contractId)) continue;
      seen.add(contractId);
      const contract = await readServed(store, contractId);
      if (contract?.canonical && isBefore(contract, token)) open.push(contract);
    }
  }
  const own = found.get(token.contractId);
  found.delete(token.contractId);
  const dependencies = [...found.values()].sort((left, right) => (isBefore(left.contract, right.contract) ? -1 : 1));
  return { token: own?.source, dependencies: dependencies.map(({ source }) => source), inputs: [...seen] };
}

function isBefore(left: ServedContract, right: ServedContract): boolean {
  return left.blockHeight === right.blockHeight ? left.txIndex < right.txIndex : left.blockHeight < right.blockHeight;
}

/** Undefined if version or epoch are not known: the VM would silently use others. */
function toSource(contract: ServedContract, sourceCode: string): DeployedSource | undefined {
  const { contractId, clarityVersion } = contract;
  if (clarityVersion === undefined || clarityVersion < 1 || clarityVersion > NEWEST_CLARITY_VERSION) return undefined;
  const epoch =
    EPOCHS.find((known) => known.name === contract.epoch)?.name ?? newestEpochOf(clarityVersion, contract.epoch);
  return epoch === undefined ? undefined : { contractId, sourceCode, clarityVersion, epoch };
}

/** The last epoch in which this Clarity version was the newest, unless an unknown epoch is stored. */
function newestEpochOf(clarityVersion: number, recorded: string | undefined): EpochName | undefined {
  return recorded === undefined ? EPOCHS.findLast((epoch) => epoch.clarityVersion === clarityVersion)?.name : undefined;
}
