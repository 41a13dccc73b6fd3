// Puts tokens that wait for their evaluation into groups that share a session of the VM: what they depend on is deployed
// and replayed once for all of them.
import type { Failure } from '#model/failure.ts';
import { countReads, type Evaluator } from '#vm/evaluator.ts';
import type { EvaluationLimits, PlanEvaluator } from './evaluate-plans.ts';
import { type EvaluationPlan, isPlacedCall } from './plan-evaluation.ts';
import type { ProvenValues } from './prove-values.ts';

/** A session slows down with each contract in it: so many tokens are evaluated in one if no call is replayed for them. */
const MAX_TOKENS = 60;
/** Of all tokens of a group: each leaves something in the session. */
const MAX_READS = 2_000;
/** Groups are formed when so many tokens wait, or when no more are on their way. */
const ENOUGH_WAITING = 128;

interface Waiting {
  readonly plan: EvaluationPlan;
  readonly limits: EvaluationLimits;
  readonly isAlone: boolean;
  readonly resolve: (values: ProvenValues | Failure) => void;
  readonly reject: (error: unknown) => void;
}

export class EvaluationGroups {
  readonly #evaluator: Evaluator;
  readonly #plans: PlanEvaluator;
  readonly #waiting = new Set<Waiting>();
  #planning = 0;
  #running = 0;

  constructor(evaluator: Evaluator, plans: PlanEvaluator) {
    this.#evaluator = evaluator;
    this.#plans = plans;
  }

  /** Says that a token is on its way while it is planned. */
  async plan<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#planning++;
    try {
      return await work();
    } finally {
      this.#planning--;
      setImmediate(() => this.#start());
    }
  }

  /** `isAlone`: in a session of its own. */
  evaluate(plan: EvaluationPlan, limits: EvaluationLimits, isAlone: boolean): Promise<ProvenValues | Failure> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ plan, limits, isAlone: isAlone || plan.isExposed, resolve, reject });
      setImmediate(() => this.#start());
    });
  }

  #start(): void {
    while (this.#running < this.#evaluator.room && this.#waiting.size > 0) {
      if (this.#planning > 0 && this.#waiting.size < ENOUGH_WAITING) return;
      const group = takeGroup(this.#waiting);
      this.#running++;
      void this.#run(group).finally(() => {
        this.#running--;
        this.#start();
      });
    }
  }

  async #run(group: readonly Waiting[]): Promise<void> {
    try {
      const limits = group[0]?.limits as EvaluationLimits;
      const evaluated = await this.#plans.evaluate(
        group.map(({ plan }) => plan),
        limits,
      );
      for (const { plan, resolve } of group) resolve(evaluated.get(plan) as ProvenValues | Failure);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/** The first that waits, and those that share calls with it; or others without calls, if it has none either. */
function takeGroup(waiting: Set<Waiting>): Waiting[] {
  const group: Waiting[] = [];
  let first: ReadonlySet<number> | undefined;
  let reads = 0;
  for (const one of waiting) {
    const calls = callIdsOf(one.plan);
    const own = countReads([{ contractId: one.plan.contract.contractId, reads: one.plan.reads }]);
    if (first !== undefined) {
      const isMate = first.size === 0 ? calls.size === 0 && group.length < MAX_TOKENS : !first.isDisjointFrom(calls);
      if (one.isAlone || !isMate || reads + own > MAX_READS) continue;
    }
    first ??= calls;
    reads += own;
    group.push(one);
    waiting.delete(one);
    if (one.isAlone) break;
  }
  return group;
}

function callIdsOf({ steps }: EvaluationPlan): ReadonlySet<number> {
  return new Set(steps.filter(isPlacedCall).map(({ call }) => call.callId));
}
