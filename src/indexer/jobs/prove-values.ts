// Says how far each value from the VM is proven: up to the last call that may have changed it, or why not so far.
import { type Failure, fail, type Reason } from '#model/failure.ts';
import type { Evaluation, Reading, TokenGetter } from '#model/token.ts';
import type { EvaluationPlan, PlannedCall } from './plan-evaluation.ts';

export interface ProvenValues {
  /** An unproven value is the last one that is proven, and has a failure. */
  readonly readings: readonly Reading[];
  /** Names of the fungible tokens of the contract whose mints less burns are the supply. */
  readonly supplyAssets?: readonly string[] | undefined;
}

/** `maxCalls`: how many of the planned calls were replayed, at most. */
export function proveValues(evaluation: Evaluation, plan: EvaluationPlan, maxCalls: number): ProvenValues {
  const { answers, partial, divergedAt, supplyAssets } = evaluation;
  const proofs = new Map(
    plan.reads.map(({ getter }) => [getter, proofOf(getter, plan, divergedAt?.[getter], maxCalls)]),
  );
  const readings = answers.map(({ tokenNumber, ...answer }): Reading => {
    const { height, calls, failure: unproven } = proofs.get(answer.getter) as Proof;
    const failure = answer.failure ?? unproven;
    return {
      ...answer,
      ...(tokenNumber === undefined || plan.shared.has(answer.getter) ? {} : { tokenNumber }),
      source: 'vm',
      partial,
      height,
      calls,
      ...(failure === undefined ? {} : { failure: toReason(failure) }),
    };
  });
  return { readings, supplyAssets };
}

/** How far the values of a getter are proven, and why no further. */
interface Proof {
  readonly height: number;
  readonly calls: number;
  readonly failure: Failure | undefined;
}

function proofOf(getter: TokenGetter, plan: EvaluationPlan, diverged: number | undefined, maxCalls: number): Proof {
  const changes = ({ affects }: PlannedCall) => affects.includes(getter);
  const replayed = plan.calls.slice(0, diverged ?? maxCalls).filter(changes);
  const height = Math.max(plan.deployHeight, replayed.at(-1)?.blockHeight ?? 0);
  const next = diverged === undefined ? plan.calls.slice(maxCalls).find(changes) : plan.calls[diverged];
  const failure = plan.notRecorded.has(getter)
    ? fail('calls-not-recorded')
    : next && notReplayed(next, height, diverged === undefined);
  return { height, calls: replayed.length, failure };
}

function notReplayed(call: PlannedCall, height: number, isTooMany: boolean): Failure {
  const { txId, blockHeight, contractId, functionName } = call;
  const what = `${contractId} ${functionName} in ${txId} at height ${blockHeight}`;
  return isTooMany
    ? fail(
        'replay-limit',
        `The calls from ${what} on are too many to be replayed; the value is that of height ${height}.`,
      )
    : fail(
        'replay-diverged',
        `The call of ${what} cannot be replayed with the result that it had; the value is that of height ${height}.`,
      );
}

function toReason({ code, message }: Reason): Reason {
  return { code, message };
}
