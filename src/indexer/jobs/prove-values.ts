// Says how far each value from the VM is proven: up to the last call that may have changed it, or why not so far.
import { type Failure, fail, type Reason } from '#model/failure.ts';
import type { Evaluation, Reading } from '#model/token.ts';
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
  const readings = answers.map((answer): Reading => {
    const { getter } = answer;
    const affecting = [...plan.calls.entries()].filter(([, { affects }]) => affects.includes(getter));
    const end = Math.min(divergedAt?.[getter] ?? maxCalls, maxCalls);
    const replayed = affecting.filter(([at]) => at < end).map(([, call]) => call);
    const height = Math.max(plan.deployHeight, replayed.at(-1)?.blockHeight ?? 0);
    const [at, call] = affecting[replayed.length] ?? [];
    const failure =
      answer.failure ??
      (plan.notRecorded.has(getter) ? fail('calls-not-recorded') : undefined) ??
      (call === undefined || at === undefined ? undefined : notReplayed(call, height, at >= maxCalls));
    const reading = { ...answer, source: 'vm', partial, height, calls: replayed.length } as const;
    return failure === undefined ? reading : { ...reading, failure: toReason(failure) };
  });
  return { readings, supplyAssets };
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
