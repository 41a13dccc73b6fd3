// Finds what a session must keep from a token: the state that other tokens in the same session must not change.

import { INVENTED, UNKNOWN_STATE } from '#clarity/builtins.ts';
import type { EpochName } from '#model/chain.ts';
import { gettersOf } from '#model/token.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { ChainReader } from './chain-reader.ts';
import { MAX_CONTRACTS } from './dependencies.ts';
import { isPlacedCall, type PlannedStep } from './trace-steps.ts';
import {
  contractOf,
  isBoot,
  nameOf,
  type TransitiveEffects,
  type Variable,
  type Variables,
} from './transitive-effects.ts';

export interface SessionNeeds {
  /** The variables that steps and getters read. A step of another token that writes one may change the values. */
  readonly reads: readonly Variables[];
  /** Contracts that were looked up and are not deployed. The deploy of one for another token may change the values. */
  readonly missing: ReadonlySet<string>;
  /**
   * The VM's epoch for transactions and getters whose epoch is unknown; undefined if all epochs are known. Tokens with
   * another epoch must not share the session.
   */
  readonly unknownEpoch: EpochName | undefined;
  /** True if other tokens in the same session may change the values, because they depend on state that it invents. */
  readonly isExposed: boolean;
}

/** `inputs` are the contracts that were looked up. */
export async function findSessionNeeds(
  chain: ChainReader,
  { contractId, standard, canonical }: ServedContract,
  inputs: ReadonlySet<string>,
  steps: readonly PlannedStep[],
): Promise<SessionNeeds> {
  const effects = new Set<TransitiveEffects>(steps.map((step) => step.effects));
  for (const functionName of gettersOf(standard))
    effects.add(await chain.summaries.effectsOf({ contractId, functionName }));
  const [reads, writes] = [new Set<Variables>(), new Set<Variables>()];
  for (const each of effects) {
    reads.add(each.reads);
    writes.add(each.writes);
  }
  const deploys = steps.flatMap((step) => (isPlacedCall(step) ? [] : [step.request]));
  const isKnown = steps.every(({ request }) => request.epoch !== undefined) && (await chain.tipEpoch()) !== undefined;
  const epochs = new Set(deploys.map(({ epoch }) => epoch));
  const [epoch] = epochs;
  return {
    reads: [...reads],
    missing: inputs.difference(new Set(deploys.map((deploy) => deploy.contractId))),
    unknownEpoch: isKnown ? undefined : epoch,
    isExposed:
      !canonical ||
      [...reads, ...writes].some((variables) => variables.values().some(isSharedState)) ||
      deploys.length >= MAX_CONTRACTS ||
      (!isKnown && epochs.size > 1),
  };
}

/** True for state that transactions of any contract may change, such as balances of STX. */
function isSharedState(variable: Variable): boolean {
  const name = nameOf(variable);
  return name === UNKNOWN_STATE ? isBoot(contractOf(variable)) : INVENTED.has(name);
}
