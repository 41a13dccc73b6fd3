// Groups tokens that wait for their evaluation. The tokens of a group share a VM session, which deploys and replays
// common dependencies once.

import type { Failure } from '#model/failure.ts';
import type { Evaluator } from '#vm/evaluator.ts';
import { countReads } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import type { PlanEvaluator } from './evaluate-plans.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import type { ProvenValues } from './prove-values.ts';
import { isPlacedCall, keyOf, type PlannedStep, type StepKey } from './trace-steps.ts';
import type { Variable, Variables } from './transitive-effects.ts';

/** The maximum number of tokens in a session if no calls are replayed. A session slows down with each contract. */
const MAX_TOKENS = 60;
/** The maximum number of reads in a group, because each read uses memory of the session. */
const MAX_READS = 2_000;
/** The maximum characters of source that further tokens add to a group. The VM needs about 35 bytes per character. */
const MAX_ADDED_SOURCE = 700_000;
/** The maximum number of bytes of sources and arguments in a group, unless its first token has more. */
const MAX_BYTES = 64_000_000;
/** The maximum number of bytes of waiting and running plans. Above this limit, planning pauses. */
const MAX_HELD_BYTES = 80_000_000;
/** The approximate size of a step of a plan in bytes, without its source or call. */
const STEP_BYTES = 24;
/** The number of waiting tokens that starts a group. Fewer tokens start a group only if no token is being planned. */
const ENOUGH_WAITING = 128;

interface Waiting {
  readonly plan: EvaluationPlan;
  /** The limit of processor time for the evaluation, in ms. */
  readonly timeoutMs: number;
  /** The bytes of the plan, without sources and calls that earlier plans keep in memory. */
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
  #bytesRead = 0;
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
  evaluate(plan: EvaluationPlan, timeoutMs: number, isAlone: boolean): Promise<ProvenValues | Failure> {
    const { bytesRead } = this.#chain;
    const bytes = bytesRead - this.#bytesRead + plan.steps.length * STEP_BYTES;
    this.#bytesRead = bytesRead;
    this.#bytesHeld += bytes;
    return new Promise((resolve, reject) => {
      this.#waiting.add({ plan, timeoutMs, bytes, isAlone: isAlone || plan.isExposed, resolve, reject });
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
      const plans = group.map(({ plan }) => plan);
      const evaluated = await this.#plans.evaluate(plans, group[0]?.timeoutMs ?? 0);
      for (const { plan, resolve } of group) resolve(evaluated.get(plan) as ProvenValues | Failure);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

/**
 * A group of tokens that share a VM session. No step of a token can change the results of another one, so that each
 * token has the same values as in a session of its own.
 */
class Group {
  readonly members: Waiting[] = [];
  readonly #calls = new Set<StepKey>();
  readonly #steps = new Set<StepKey>();
  /** The steps that may write each variable. */
  readonly #writers = new Map<Variable, Set<StepKey>>();
  readonly #reads = new Set<Variable>();
  readonly #missing = new Set<string>();
  #getters = 0;
  #source = 0;
  #bytes = 0;

  /** Adds a token if the group has room, and if the token shares calls with the first token or neither has calls. */
  add(token: Waiting): boolean {
    const { contract, getters, steps } = token.plan;
    const isFirst = this.members.length === 0;
    if (!isFirst && (token.isAlone || !this.#isMate(token.plan))) return false;
    const moreGetters = this.#getters + countReads([{ contractId: contract.contractId, reads: getters }]);
    const added = steps.filter((step) => !this.#steps.has(keyOf(step)));
    const { source, bytes } = sizeOf(added);
    const [moreSource, moreBytes] = [isFirst ? 0 : this.#source + source, this.#bytes + bytes];
    if (!isFirst && (moreGetters > MAX_READS || moreSource > MAX_ADDED_SOURCE || moreBytes > MAX_BYTES)) return false;
    if (!isFirst && !this.#isIndependent(token.plan, added)) return false;
    if (isFirst) for (const step of steps.filter(isPlacedCall)) this.#calls.add(keyOf(step));
    this.#getters = moreGetters;
    this.#source = moreSource;
    this.#bytes = moreBytes;
    this.#addSteps(token.plan, added);
    this.members.push(token);
    return true;
  }

  #addSteps({ reads, missing }: EvaluationPlan, added: readonly PlannedStep[]): void {
    for (const step of added) {
      const key = keyOf(step);
      this.#steps.add(key);
      for (const variable of step.effects.writes) {
        const writers = this.#writers.get(variable);
        if (writers === undefined) this.#writers.set(variable, new Set([key]));
        else writers.add(key);
      }
    }
    for (const variables of reads) for (const variable of variables) this.#reads.add(variable);
    for (const contractId of missing) this.#missing.add(contractId);
  }

  /**
   * True if no step of a token writes state that the members read, and no step of a member writes state of the token.
   * `added` are the steps that no member has. The key of a deploy is its contract id.
   */
  #isIndependent({ steps, reads, missing, unknownEpoch }: EvaluationPlan, added: readonly PlannedStep[]): boolean {
    if (unknownEpoch !== this.members[0]?.plan.unknownEpoch) return false;
    for (const contractId of missing) if (this.#steps.has(contractId)) return false;
    const written = new Set<Variables>();
    for (const step of added) {
      if (this.#missing.has(keyOf(step))) return false;
      written.add(step.effects.writes);
    }
    for (const variables of written) if (!variables.isDisjointFrom(this.#reads)) return false;
    const keys = new Set(steps.map(keyOf));
    for (const variables of reads)
      for (const variable of variables) if (this.#writers.get(variable)?.isSubsetOf(keys) === false) return false;
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

function sizeOf(steps: readonly PlannedStep[]): { source: number; bytes: number } {
  let [source, bytes] = [0, 0];
  for (const step of steps) {
    if (isPlacedCall(step)) bytes += step.argumentBytes;
    else source += step.request.sourceCode.length;
  }
  return { source, bytes: bytes + source };
}
