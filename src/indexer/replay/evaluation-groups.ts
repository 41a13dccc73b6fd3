// Groups tokens that wait for their evaluation. The tokens of a group share a VM session, which deploys and replays
// common dependencies once.

import type { Failure } from '#model/failure.ts';
import type { Evaluator } from '#vm/evaluator.ts';
import { countReads } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import type { EvaluationLimits, PlanEvaluator } from './evaluate-plans.ts';
import type { PlacedDeploy } from './placed-steps.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import type { ProvenValues } from './prove-values.ts';
import { isPlacedCall, keyOf, type StepKey } from './trace-steps.ts';

/** The maximum number of tokens in a session if no calls are replayed. A session slows down with each contract. */
const MAX_TOKENS = 60;
/** The maximum number of reads in a group, because each read uses memory of the session. */
const MAX_READS = 2_000;
/** The maximum characters of source that further tokens add to a group. The VM needs about 35 bytes per character. */
const MAX_ADDED_SOURCE = 700_000;
/** The maximum number of bytes of waiting and running plans. Above this limit, planning pauses. */
const MAX_HELD_BYTES = 80_000_000;
/** The approximate sizes of a call, and of a step of a plan, in bytes. */
const CALL_BYTES = 1_500;
const STEP_BYTES = 24;
/** The number of waiting tokens that starts a group. Fewer tokens start a group only if no token is being planned. */
const ENOUGH_WAITING = 128;

interface Waiting {
  readonly plan: EvaluationPlan;
  readonly limits: EvaluationLimits;
  /** The bytes of the plan, without calls that earlier plans keep in memory. */
  readonly bytes: number;
  readonly isAlone: boolean;
  readonly resolve: (values: ProvenValues | Failure) => void;
  readonly reject: (error: unknown) => void;
}

export class EvaluationGroups {
  readonly #evaluator: Evaluator;
  readonly #plans: PlanEvaluator;
  readonly #chain: ChainReader;
  readonly #waiting = new Set<Waiting>();
  #planning = 0;
  #running = 0;
  #planned: Promise<unknown> = Promise.resolve();
  #bytesHeld = 0;
  #callsRead = 0;
  #released = Promise.withResolvers<void>();

  constructor(evaluator: Evaluator, plans: PlanEvaluator, chain: ChainReader) {
    this.#evaluator = evaluator;
    this.#plans = plans;
    this.#chain = chain;
  }

  /** Plans a token by calling `work`. Waits until earlier tokens are planned and memory is available for the plan. */
  async plan<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#planning++;
    const planned = this.#planned.then(async () => {
      while (this.#isFull) await this.#released.promise;
      return work();
    });
    this.#planned = planned.catch(() => undefined);
    try {
      return await planned;
    } finally {
      this.#planning--;
      setImmediate(() => this.#start());
    }
  }

  /** Evaluates a plan, usually together with other plans. If `isAlone` is true, no other token shares the session. */
  evaluate(plan: EvaluationPlan, limits: EvaluationLimits, isAlone: boolean): Promise<ProvenValues | Failure> {
    const { callsRead } = this.#chain;
    const bytes = (callsRead - this.#callsRead) * CALL_BYTES + plan.steps.length * STEP_BYTES;
    this.#callsRead = callsRead;
    this.#bytesHeld += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.add({ plan, limits, bytes, isAlone: isAlone || plan.isExposed, resolve, reject });
      setImmediate(() => this.#start());
    });
  }

  get #isFull(): boolean {
    return this.#bytesHeld >= MAX_HELD_BYTES;
  }

  #start(): void {
    while (this.#running < this.#evaluator.capacity && this.#waiting.size > 0) {
      if (this.#planning > 0 && this.#waiting.size < ENOUGH_WAITING && !this.#isFull) return;
      const group = takeGroup(this.#waiting);
      this.#running++;
      void this.#run(group).finally(() => {
        this.#running--;
        for (const { bytes } of group) this.#bytesHeld -= bytes;
        this.#released.resolve();
        this.#released = Promise.withResolvers();
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

/** A group of tokens that share a VM session. */
class Group {
  readonly members: Waiting[] = [];
  readonly #calls = new Set<StepKey>();
  readonly #deploys = new Set<StepKey>();
  #reads = 0;
  #source = 0;

  /** Adds a token if the group has room, and if the token shares calls with the first token or neither has calls. */
  add(token: Waiting): boolean {
    const { contract, reads, steps } = token.plan;
    const isFirst = this.members.length === 0;
    if (!isFirst && (token.isAlone || !this.#isMate(token.plan))) return false;
    const moreReads = this.#reads + countReads([{ contractId: contract.contractId, reads }]);
    const deploys = steps.filter(
      (step): step is PlacedDeploy => !isPlacedCall(step) && !this.#deploys.has(keyOf(step)),
    );
    const moreSource = deploys.reduce((sum, { step }) => sum + step.sourceCode.length, this.#source);
    if (!isFirst && (moreReads > MAX_READS || moreSource > MAX_ADDED_SOURCE)) return false;
    if (isFirst) for (const step of steps.filter(isPlacedCall)) this.#calls.add(keyOf(step));
    for (const step of deploys) this.#deploys.add(keyOf(step));
    this.#reads = moreReads;
    if (!isFirst) this.#source = moreSource;
    this.members.push(token);
    return true;
  }

  #isMate({ steps }: EvaluationPlan): boolean {
    const calls = this.#calls;
    if (calls.size === 0) return this.members.length < MAX_TOKENS && !steps.some(isPlacedCall);
    return steps.some((step) => isPlacedCall(step) && calls.has(keyOf(step)));
  }
}

function takeGroup(waiting: Set<Waiting>): readonly Waiting[] {
  const group = new Group();
  for (const token of waiting) {
    if (group.add(token)) waiting.delete(token);
    if (group.members[0]?.isAlone === true) break;
  }
  return group.members;
}
