// Defines the steps of an evaluation: deploys and calls with their positions on the canonical chain. Traces them
// backwards, to find the values that each step may change or decide.

import type { TokenGetter } from '#model/token.ts';
import type { ServedContract } from '#store/contracts/contracts.ts';
import type { CanonicalCall } from '#store/replay/calls.ts';
import type { DeployedSource, ReplayedCall } from '#vm/messages.ts';
import type { VmEpoch } from '#vm/vm-rules.ts';
import type { KnownHeights } from './block-facts.ts';
import { isOwn, nameOf, type TransitiveEffects, type Variable } from './transitive-effects.ts';

/** Position of a transaction on the canonical chain. */
export interface Place {
  readonly blockHeight: number;
  readonly txIndex: number;
}

export interface PlacedDeploy extends Place, Pick<VmEpoch, 'isExact'> {
  readonly contract: ServedContract;
  readonly request: DeployedSource;
  /** The effects of the code that runs when the contract is deployed. */
  readonly effects: TransitiveEffects;
  /** Ids of the contracts that the source refers to. */
  readonly references: readonly string[];
  /** The number of expressions in the source: atoms, strings and groups. */
  readonly expressions: number;
  /** The heights at the deploy that the archive contains. */
  readonly knownHeights: KnownHeights;
}

export interface PlacedCall extends Place {
  readonly id: Pick<CanonicalCall, 'txId' | 'blockId' | 'kindId'>;
  /** Without arguments, which may have megabytes. They are read when the call is replayed. */
  readonly request: Omit<ReplayedCall, 'args'>;
  readonly argumentBytes: number;
  readonly effects: TransitiveEffects;
  /** The heights at the call that the archive contains. */
  readonly knownHeights: KnownHeights;
}

export type ByGetter<T> = Map<TokenGetter, T>;

/** A deploy or a call on chain. */
export type PlannedStep = PlacedDeploy | PlacedCall;

export const isPlacedCall = (step: PlannedStep): step is PlacedCall => 'id' in step;

/** The key of a step: block and index of a call, or the id of the deployed contract. */
export type StepKey = string;
export const keyOf = (step: PlannedStep): StepKey =>
  isPlacedCall(step) ? `${step.id.blockId} ${step.txIndex}` : step.request.contractId;

interface Trace {
  /** For each step, the getters whose values the step may change. */
  readonly affects: readonly (readonly TokenGetter[])[];
  /** For each step, the getters whose values the step may decide, directly or through later steps. */
  readonly feeds: readonly (readonly TokenGetter[])[];
  readonly inputs: ByGetter<ReadonlySet<Variable>>;
}

/** Traces steps backwards. If a step writes variables that decide a getter's value, the step's inputs decide it too. */
export function trace(steps: readonly PlannedStep[], reads: ByGetter<ReadonlySet<Variable>>): Trace {
  const inputs: ByGetter<Set<Variable>> = new Map(
    [...reads].map(([getter, variables]) => [getter, new Set(variables)]),
  );
  const writing = ({ writes }: TransitiveEffects, by: ByGetter<ReadonlySet<Variable>>) =>
    [...by].flatMap(([getter, variables]) => (writes.isDisjointFrom(variables) ? [] : [getter]));
  const affecting = new Map<TransitiveEffects, TokenGetter[]>();
  // Thousands of steps may have the same effects. Effects are examined again only after inputs were added.
  const feeding = new Map<KnownHeights, Map<TransitiveEffects, TokenGetter[]>>();
  const affects: (readonly TokenGetter[])[] = [];
  const feeds: (readonly TokenGetter[])[] = [];
  for (const step of steps.toReversed()) {
    const { effects } = step;
    const affected = affecting.get(effects) ?? writing(effects, reads);
    affecting.set(effects, affected);
    const feedingAtHeights = feeding.get(step.knownHeights) ?? new Map<TransitiveEffects, TokenGetter[]>();
    feeding.set(step.knownHeights, feedingAtHeights);
    let fed = feedingAtHeights.get(effects);
    if (fed === undefined) {
      fed = writing(effects, inputs);
      feedingAtHeights.set(effects, fed);
      let hasMore = false;
      for (const getter of fed) hasMore = addInputs(step, inputs.get(getter) as Set<Variable>) || hasMore;
      if (hasMore) feeding.clear();
    }
    affects.push(affected);
    feeds.push(fed);
  }
  return { affects: affects.reverse(), feeds: feeds.reverse(), inputs };
}

/** Adds the inputs of a step, except heights that the VM receives from the archive. Returns true if `inputs` grew. */
function addInputs(step: PlannedStep, inputs: Set<Variable>): boolean {
  const { size } = inputs;
  const deployed = isPlacedCall(step) ? undefined : step.request.contractId;
  for (const variable of step.effects.inputs) {
    const isProvided = step.knownHeights.has(nameOf(variable)) || (deployed !== undefined && isOwn(variable, deployed));
    if (!isProvided) inputs.add(variable);
  }
  return inputs.size > size;
}

export function inChainOrder(left: Place, right: Place): number {
  return left.blockHeight - right.blockHeight || left.txIndex - right.txIndex;
}
