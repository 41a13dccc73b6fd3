// Determines how far each value from the VM is proven. Finds the last call that may have changed the value, and the
// reason if later calls may have changed it.

import { type Failure, fail } from '#model/failure.ts';
import { isUnproven, type Reading, type TokenGetter } from '#model/token.ts';
import type { TokenResults } from '#vm/messages.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import { inChainOrder, isPlacedCall, type PlannedStep } from './trace-steps.ts';

export interface ProvenValues {
  /** The readings. If a value is unproven, the reading has the last proven value and a failure. */
  readonly readings: readonly Reading[];
  /** The names of the contract's fungible tokens whose minted minus burned amounts add up to the supply. */
  readonly supplyAssets?: readonly string[] | undefined;
}

/** Returns readings. `diverged` has, for each getter, the first diverged step that may decide the getter's value. */
export function proveValues(
  { results, partial, supplyAssets }: TokenResults,
  plan: EvaluationPlan,
  diverged: ReadonlyMap<TokenGetter, PlannedStep>,
): ProvenValues {
  const proofs = new Map(plan.getters.map(({ getter }) => [getter, proofOf(getter, plan, diverged.get(getter))]));
  const readings = results.map(({ tokenNumber, value, ...result }): Reading => {
    const { height, calls, failure: unproven } = proofs.get(result.getter) as Proof;
    const failure = unproven ?? result.failure;
    return {
      ...result,
      ...(value === undefined || (failure !== undefined && !isUnproven(failure)) ? {} : { value }),
      ...(tokenNumber === undefined || plan.shared.has(result.getter) ? {} : { tokenNumber }),
      source: 'vm',
      partial,
      height,
      calls,
      ...(failure === undefined ? {} : { failure }),
    };
  });
  if (supplyAssets !== undefined && plan.hasGap)
    readings.push({ getter: 'get-total-supply', source: 'vm', partial, failure: fail('supply-incomplete') });
  for (const getter of plan.tooLarge)
    readings.push({ getter, source: 'vm', partial, failure: fail('too-much-code', `${getter} has too much code.`) });
  return { readings, supplyAssets };
}

/** The last height and number of calls that prove a getter's values, and the reason if later calls may change them. */
interface Proof {
  readonly height: number;
  readonly calls: number;
  readonly failure: Failure | undefined;
}

function proofOf(getter: TokenGetter, plan: EvaluationPlan, diverged: PlannedStep | undefined): Proof {
  let height = plan.contract.blockHeight;
  let calls = 0;
  for (const [index, step] of plan.steps.entries()) {
    if (diverged !== undefined && isPlacedCall(diverged) && inChainOrder(step, diverged) >= 0) break;
    if (!plan.affects[index]?.includes(getter) || inChainOrder(step, plan.contract) === 0) continue;
    height = Math.max(height, step.blockHeight);
    // Deploys of other contracts count as calls, because a node may have returned the value before such a deploy.
    if (isPlacedCall(step) || inChainOrder(step, plan.contract) > 0) calls++;
  }
  const cutOff = plan.cutOff.get(getter);
  if (diverged !== undefined) return { height, calls, failure: notReplayed(diverged, height) };
  return { height, calls, failure: plan.unproven.get(getter) ?? (cutOff && tooMany(cutOff, height)) };
}

function notReplayed(step: PlannedStep, height: number): Failure {
  return fail(
    'replay-diverged',
    isPlacedCall(step)
      ? `The call of ${describe(step)} cannot be replayed with its result on chain. The value is from height ${height}.`
      : `The deploy of ${step.contract.contractId} at height ${step.blockHeight} decides the value and could be replayed only in part.`,
  );
}

function tooMany(step: PlannedStep, height: number): Failure {
  return fail(
    'replay-limit',
    `There are too many calls to replay from ${describe(step)} on. The value is from height ${height}.`,
  );
}

function describe(step: PlannedStep): string {
  if (!isPlacedCall(step)) return step.contract.contractId;
  const { contractId, functionName } = step.request;
  return `${contractId} ${functionName} in ${step.id.txId} at height ${step.blockHeight}`;
}
