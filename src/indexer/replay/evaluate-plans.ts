// Evaluates tokens by their plans, several in one VM session. Values that a diverged call may have decided are read as
// of before that call.

import { type Failure, isFailure } from '#model/failure.ts';
import type { TokenGetter } from '#model/token.ts';
import type { Evaluator, Stopped } from '#vm/evaluator.ts';
import { countReads, type Replayed, type ReplayRequest, type TokenAnswers, type TokenReads } from '#vm/messages.ts';
import type { ChainReader } from './chain-reader.ts';
import type { EvaluationPlan } from './plan-evaluation.ts';
import { type ProvenValues, proveValues } from './prove-values.ts';
import { inChainOrder, isPlacedCall, keyOf, type PlannedStep, type StepKey } from './trace-steps.ts';

export interface EvaluationLimits {
  readonly timeoutMs: number;
  /** True if a call that reaches the time limit is skipped and counts as diverged. */
  readonly skipsSlowCalls: boolean;
}

/** The VM needs a tenth of this. */
const MS_PER_READ = 2;
const MS_PER_CALL = 2;

/** The replay of several tokens, and the index of each step. */
interface Run {
  readonly answers: ReadonlyMap<EvaluationPlan, TokenAnswers | Failure>;
  readonly diverged: Steps;
}

/** Compared by key: separate plans have different objects for the same step. */
type Steps = ReadonlySet<StepKey>;
export type Evaluated = ReadonlyMap<EvaluationPlan, ProvenValues | Failure>;

export class PlanEvaluator {
  readonly #chain: ChainReader;
  readonly #evaluator: Evaluator;

  constructor(chain: ChainReader, evaluator: Evaluator) {
    this.#chain = chain;
    this.#evaluator = evaluator;
  }

  async evaluate(plans: readonly EvaluationPlan[], limits: EvaluationLimits): Promise<Evaluated> {
    const first = await this.#replay(plans, limits);
    if (isFailure(first)) {
      if (plans.length === 1) return new Map(plans.map((plan) => [plan, first]));
      const parts = await Promise.all(split(plans, first.step).map((part) => this.evaluate(part, limits)));
      return new Map(parts.flatMap((part) => [...part]));
    }
    const cut = new Map<PlannedStep, EvaluationPlan[]>();
    for (const plan of plans)
      for (const step of new Set(firstDiverged(plan, first.diverged).values()))
        if (isPlacedCall(step)) cut.set(step, [...(cut.get(step) ?? []), plan]);
    const before = new Map<PlannedStep, Run | Failure>();
    for (const [upTo, some] of cut) before.set(upTo, await this.#replay(some, limits, upTo));
    return new Map(plans.map((plan) => [plan, prove(plan, first, before)]));
  }

  async #replay(
    plans: readonly EvaluationPlan[],
    { timeoutMs, skipsSlowCalls }: EvaluationLimits,
    upTo?: PlannedStep,
  ): Promise<Run | Stopped> {
    const steps = mergeSteps(plans);
    const tokens = plans.map((plan): TokenReads => ({ contractId: plan.contract.contractId, reads: plan.reads }));
    const request: ReplayRequest = {
      steps: steps.map(({ step }) => step),
      tokens,
      tip: await this.#chain.tip(),
      tipEpoch: (await this.#chain.tipEpoch())?.epoch,
      chainId: await this.#chain.chainId(),
      ...(upTo === undefined ? {} : { upTo: steps.findIndex((step) => keyOf(step) === keyOf(upTo)) }),
    };
    const limitMs = timeoutMs + MS_PER_READ * countReads(tokens) + MS_PER_CALL * steps.length;
    const replayed = await this.#evaluator.replay(request, limitMs, { skipsSlowCalls });
    return isFailure(replayed) ? replayed : toRun(plans, steps, replayed);
  }
}

function toRun(plans: readonly EvaluationPlan[], steps: readonly PlannedStep[], { tokens, diverged }: Replayed): Run {
  return {
    answers: new Map(plans.map((plan, index) => [plan, tokens[index] as TokenAnswers | Failure])),
    diverged: new Set(diverged.map((index) => keyOf(steps[index] as PlannedStep))),
  };
}

/** Splits off tokens that need the step at which the VM stopped, and halves the others; all, if all or none need it. */
function split(plans: readonly EvaluationPlan[], stoppedAt: number | undefined): (readonly EvaluationPlan[])[] {
  const step = stoppedAt === undefined ? undefined : mergeSteps(plans)[stoppedAt];
  const key = step && keyOf(step);
  const [stopping = [], others = []] = [true, false].map((isIn) =>
    plans.filter(({ steps }) => steps.some((one) => keyOf(one) === key) === isIn),
  );
  return stopping.length > 0 && others.length > 0 ? [stopping, ...halve(others)] : halve(plans);
}

function halve(plans: readonly EvaluationPlan[]): (readonly EvaluationPlan[])[] {
  const middle = plans.length >> 1;
  return [plans.slice(0, middle), plans.slice(middle)].filter((half) => half.length > 0);
}

/** Returns each step once, in chain order. */
function mergeSteps(plans: readonly EvaluationPlan[]): PlannedStep[] {
  const [only] = plans;
  if (plans.length === 1 && only !== undefined) return [...only.steps];
  const all = new Map<StepKey, PlannedStep>();
  for (const { steps } of plans) for (const step of steps) all.set(keyOf(step), step);
  return [...all.values()].sort(inChainOrder);
}

/** First step, by getter, that may decide its value and differed from the chain. */
function firstDiverged({ steps, feeds }: EvaluationPlan, diverged: Steps): Map<TokenGetter, PlannedStep> {
  const first = new Map<TokenGetter, PlannedStep>();
  if (diverged.size === 0) return first;
  for (const [index, step] of steps.entries())
    if (diverged.has(keyOf(step)))
      for (const getter of feeds[index] ?? []) if (!first.has(getter)) first.set(getter, step);
  return first;
}

/** Replaces values that a diverged call may have decided with those before it. */
function prove(
  plan: EvaluationPlan,
  first: Run,
  before: ReadonlyMap<PlannedStep, Run | Failure>,
): ProvenValues | Failure {
  const read = first.answers.get(plan) as TokenAnswers | Failure;
  if (isFailure(read)) return read;
  const diverged = firstDiverged(plan, first.diverged);
  const answers: TokenAnswers['answers'][number][] = read.answers.filter(
    ({ getter }) => !before.has(diverged.get(getter) as PlannedStep),
  );
  for (const step of new Set(diverged.values())) {
    const run = before.get(step);
    if (run === undefined) continue;
    const own = isFailure(run) ? run : (run.answers.get(plan) as TokenAnswers | Failure);
    if (isFailure(own)) return own;
    for (const answer of own.answers) if (diverged.get(answer.getter) === step) answers.push(answer);
  }
  return proveValues({ ...read, answers }, plan, diverged);
}
