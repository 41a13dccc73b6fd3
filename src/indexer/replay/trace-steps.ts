// Traces the steps of an evaluation back: which values each of them may change, and which it may decide.

import { BLOCK_HEIGHT, BURN_HEIGHT, HEIGHT } from '#clarity/state-names.ts';
import type { TokenGetter } from '#model/token.ts';
import type { Place, PlacedCall, PlacedDeploy } from './chain-reader.ts';
import { nameOf, type Reach, type Variable } from './reach.ts';

export type ByGetter<T> = Map<TokenGetter, T>;

/** Something that happened on chain. A deploy that calls others is one step, whether or not its calls were recorded. */
export type PlannedStep = PlacedDeploy | PlacedCall;

export const isPlacedCall = (step: PlannedStep): step is PlacedCall => 'call' in step;

/** The id of a call, or of the contract that is deployed. */
export type StepKey = number | string;
export const keyOf = (step: PlannedStep): StepKey => (isPlacedCall(step) ? step.call.callId : step.step.contractId);

/** Heights of the chain: those that the archive knows are given to the VM. */
export const HEIGHTS: ReadonlySet<string> = new Set([HEIGHT, BLOCK_HEIGHT, BURN_HEIGHT]);

interface Trace {
  /** By step, the getters whose values it may change. */
  readonly affects: readonly (readonly TokenGetter[])[];
  /** By step, those whose values it may decide, through later steps too. */
  readonly feeds: readonly (readonly TokenGetter[])[];
  readonly inputs: ByGetter<ReadonlySet<Variable>>;
}

/** Goes back through the steps: what may decide what a later one writes for a getter is an input of that getter. */
export function trace(steps: readonly PlannedStep[], reads: ByGetter<ReadonlySet<Variable>>): Trace {
  const inputs: ByGetter<Set<Variable>> = new Map(
    [...reads].map(([getter, variables]) => [getter, new Set(variables)]),
  );
  const writing = ({ writes }: Reach, by: ByGetter<ReadonlySet<Variable>>) =>
    [...by].flatMap(([getter, variables]) => (writes.isDisjointFrom(variables) ? [] : [getter]));
  const affecting = new Map<Reach, TokenGetter[]>();
  // Thousands of steps may do the same; it is looked at again when there are more inputs.
  const [ofUnknown, ofKnown] = [new Map<Reach, TokenGetter[]>(), new Map<Reach, TokenGetter[]>()];
  const affects: (readonly TokenGetter[])[] = [];
  const feeds: (readonly TokenGetter[])[] = [];
  for (const step of steps.toReversed()) {
    const { reach } = step;
    const affected = affecting.get(reach) ?? writing(reach, reads);
    affecting.set(reach, affected);
    const feeding = step.hasKnownHeights ? ofKnown : ofUnknown;
    let fed = feeding.get(reach);
    if (fed === undefined) {
      fed = writing(reach, inputs);
      feeding.set(reach, fed);
      let hasMore = false;
      for (const getter of fed) hasMore = addInputs(step, inputs.get(getter) as Set<Variable>) || hasMore;
      if (hasMore) for (const memo of [ofUnknown, ofKnown]) memo.clear();
    }
    affects.push(affected);
    feeds.push(fed);
  }
  return { affects: affects.reverse(), feeds: feeds.reverse(), inputs };
}

/** The first call that may write what decides a value. */
export function findFirst(calls: readonly PlacedCall[], inputs: ByGetter<ReadonlySet<Variable>>): ByGetter<PlacedCall> {
  const found: ByGetter<PlacedCall> = new Map();
  for (const [getter, variables] of inputs) {
    const first = calls.find(({ reach }) => !reach.writes.isDisjointFrom(variables));
    if (first !== undefined) found.set(getter, first);
  }
  return found;
}

/** Whether there were any more. Heights that the archive knows are given to the VM. */
function addInputs({ reach, hasKnownHeights }: PlannedStep, inputs: Set<Variable>): boolean {
  const { size } = inputs;
  for (const variable of reach.inputs) {
    const name = nameOf(variable);
    if (HEIGHTS.has(name) && (hasKnownHeights || name === HEIGHT)) continue;
    inputs.add(variable);
  }
  return inputs.size > size;
}

export function inChainOrder(left: Place, right: Place): number {
  return left.blockHeight - right.blockHeight || left.txIndex - right.txIndex;
}
