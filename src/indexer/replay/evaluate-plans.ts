// Evaluates several tokens in one VM session by their plans. If a call that may have decided a value diverges from the
// chain, reads the value before that call.

import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { TokenGetter } from '#model/token.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readArguments } from '#store/replay/calls.ts';
import type { Evaluator, Stopped } from '#vm/evaluator.ts';
import {
  type ChainStep,
  countReads,
  type Replayed,
  type ReplayRequest,
  type TokenReads,
  type TokenResults,
} from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import { type ProvenValues, proveValues } from './prove-values.ts';
import { inChainOrder, isPlacedCall, keyOf, type PlannedStep, type StepKey } from './trace-steps.ts';

/** The time for each read and each call, which is added to the limit of a request. The VM needs a tenth of it. */
const MS_PER_READ = 2;
const MS_PER_CALL = 2;

/** The results of replaying the plans of several tokens. */
interface Run {
  readonly tokens: ReadonlyMap<EvaluationPlan, TokenResults | Failure>;
  readonly diverged: Steps;
  /** Deploys that might run more code without the contracts of other tokens in the session. */
  readonly dependent: Steps;
}

/** Keys of steps. Plans have different objects for the same step, but the same key. */
type Steps = ReadonlySet<StepKey>;
export type Evaluated = ReadonlyMap<EvaluationPlan, ProvenValues | Failure>;

export class PlanEvaluator {
  readonly #chain: ChainReader;
  readonly #evaluator: Evaluator;

  constructor(chain: ChainReader, evaluator: Evaluator) {
    this.#chain = chain;
    this.#evaluator = evaluator;
  }

  async evaluate(plans: readonly EvaluationPlan[], timeoutMs: number): Promise<Evaluated> {
    const first = await this.#replay(plans, timeoutMs);
    if (isFailure(first)) {
      const failure = first.code === 'vm-timeout' ? timedOut(timeoutMs) : first;
      if (plans.length === 1) return new Map(plans.map((plan) => [plan, failure]));
      const slow = first.code === 'vm-timeout' && first.scope === 'getters' ? planOf(plans, first.step) : undefined;
      if (slow === undefined) return this.#evaluateParts(split(plans, first.step), timeoutMs);
      const rest = await this.evaluate(
        plans.filter((plan) => plan !== slow),
        timeoutMs,
      );
      return new Map([...rest, [slow, failure]]);
    }
    const isDependent = (plan: EvaluationPlan) => plans.length > 1 && hasStepAmong(plan, first.dependent);
    const { dependent = [], independent = [] } = Object.groupBy(plans, (plan) =>
      isDependent(plan) ? 'dependent' : 'independent',
    );
    const alone = await this.#evaluateParts(
      dependent.map((plan) => [plan]),
      timeoutMs,
    );
    return new Map([...alone, ...(await this.#finish(independent, first, timeoutMs))]);
  }

  async #evaluateParts(parts: readonly (readonly EvaluationPlan[])[], timeoutMs: number): Promise<Evaluated> {
    const evaluated = await Promise.all(parts.map((part) => this.evaluate(part, timeoutMs)));
    return new Map(evaluated.flatMap((part) => [...part]));
  }

  /** Returns the values of a replay. Replays again up to each call that diverged and may have decided a value. */
  async #finish(plans: readonly EvaluationPlan[], first: Run, timeoutMs: number): Promise<Evaluated> {
    const cut = new Map<PlannedStep, EvaluationPlan[]>();
    for (const plan of plans)
      for (const step of new Set(firstDiverged(plan, first.diverged).values()))
        if (isPlacedCall(step)) cut.set(step, [...(cut.get(step) ?? []), plan]);
    const before = new Map<PlannedStep, Run | Failure>();
    for (const [upTo, some] of cut) before.set(upTo, await this.#replay(some, timeoutMs, upTo));
    return new Map(plans.map((plan) => [plan, prove(plan, first, before)]));
  }

  async #replay(plans: readonly EvaluationPlan[], timeoutMs: number, upTo?: PlannedStep): Promise<Run | Stopped> {
    const steps = mergeSteps(plans);
    const tokens = plans.map((plan): TokenReads => ({ contractId: plan.contract.contractId, reads: plan.getters }));
    const request: ReplayRequest = {
      steps: await withArguments(this.#chain.store, steps),
      tokens,
      tip: await this.#chain.tip(),
      tipEpoch: (await this.#chain.tipEpoch())?.epoch,
      chainId: await this.#chain.chainId(),
      ...(upTo === undefined ? {} : { upTo: steps.findIndex((step) => keyOf(step) === keyOf(upTo)) }),
    };
    const limitMs = timeoutMs + MS_PER_READ * countReads(tokens) + MS_PER_CALL * steps.length;
    const replayed = await this.#evaluator.replay(request, limitMs, { skipsSlowCalls: plans.length === 1 });
    return isFailure(replayed) ? replayed : toRun(plans, steps, replayed);
  }
}

/** Returns the transactions of steps. Reads the arguments of calls. */
async function withArguments(store: StoreReader, steps: readonly PlannedStep[]): Promise<ChainStep[]> {
  const calls = steps.filter(isPlacedCall).map(({ id, txIndex }) => ({ blockId: id.blockId, txIndex }));
  const args = (await readArguments(store, calls)).values();
  return steps.map((step) =>
    isPlacedCall(step) ? { ...step.request, args: args.next().value as Buffer } : step.request,
  );
}

function toRun(plans: readonly EvaluationPlan[], steps: readonly PlannedStep[], replayed: Replayed): Run {
  const keysOf = (indexes: readonly number[]) => new Set(indexes.map((index) => keyOf(steps[index] as PlannedStep)));
  return {
    tokens: new Map(plans.map((plan, index) => [plan, replayed.tokens[index] as TokenResults | Failure])),
    diverged: keysOf(replayed.diverged),
    dependent: keysOf(replayed.dependent),
  };
}

function hasStepAmong({ steps }: EvaluationPlan, among: Steps): boolean {
  return among.size > 0 && steps.some((step) => among.has(keyOf(step)));
}

/** Returns a failure with the limit of a token, without the time that is added for its reads and calls. */
function timedOut(timeoutMs: number): Failure {
  return fail('vm-timeout', `The Clarity VM did not finish within ${timeoutMs / 1000} s of processor time.`);
}

/** Returns the plan of the token whose deploy is this step. */
function planOf(plans: readonly EvaluationPlan[], index: number | undefined): EvaluationPlan | undefined {
  const step = index === undefined ? undefined : mergeSteps(plans)[index];
  return plans.find(({ contract }) => step !== undefined && keyOf(step) === contract.contractId);
}

/**
 * Splits plans after a failure. Plans with the step at which the VM stopped form one part, and the other plans are
 * halved. If all or none of the plans have that step, halves all plans.
 */
function split(plans: readonly EvaluationPlan[], stoppedAt: number | undefined): (readonly EvaluationPlan[])[] {
  const step = stoppedAt === undefined ? undefined : mergeSteps(plans)[stoppedAt];
  const key = step && keyOf(step);
  const [stopping = [], rest = []] = [true, false].map((isIn) =>
    plans.filter(({ steps }) => steps.some((planned) => keyOf(planned) === key) === isIn),
  );
  return stopping.length > 0 && rest.length > 0 ? [stopping, ...halve(rest)] : halve(plans);
}

function halve(plans: readonly EvaluationPlan[]): (readonly EvaluationPlan[])[] {
  const middle = plans.length >> 1;
  return [plans.slice(0, middle), plans.slice(middle)].filter((half) => half.length > 0);
}

/** Merges the steps of several plans: each step once, in chain order. */
function mergeSteps(plans: readonly EvaluationPlan[]): PlannedStep[] {
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return [...only.steps];
  const all = new Map<StepKey, PlannedStep>();
  for (const { steps } of plans) for (const step of steps) all.set(keyOf(step), step);
  return [...all.values()].sort(inChainOrder);
}

/** Returns, for each getter, the first step that diverged from the chain and may decide the getter's value. */
function firstDiverged({ steps, feeds }: EvaluationPlan, diverged: Steps): Map<TokenGetter, PlannedStep> {
  const first = new Map<TokenGetter, PlannedStep>();
  if (diverged.size === 0) return first;
  for (const [index, step] of steps.entries())
    if (diverged.has(keyOf(step)))
      for (const getter of feeds[index] ?? []) if (!first.has(getter)) first.set(getter, step);
  return first;
}

/** Returns the values of a token. If a diverged call may have decided a value, uses the value before the call. */
function prove(
  plan: EvaluationPlan,
  first: Run,
  before: ReadonlyMap<PlannedStep, Run | Failure>,
): ProvenValues | Failure {
  const read = first.tokens.get(plan) as TokenResults | Failure;
  if (isFailure(read)) return read;
  const diverged = firstDiverged(plan, first.diverged);
  const results: TokenResults['results'][number][] = read.results.filter(
    ({ getter }) => !before.has(diverged.get(getter) as PlannedStep),
  );
  for (const step of new Set(diverged.values())) {
    const run = before.get(step);
    if (run === undefined) continue;
    const earlier = isFailure(run) ? run : (run.tokens.get(plan) as TokenResults | Failure);
    if (isFailure(earlier)) return earlier;
    for (const result of earlier.results) if (diverged.get(result.getter) === step) results.push(result);
  }
  return proveValues({ ...read, results }, plan, diverged);
}
