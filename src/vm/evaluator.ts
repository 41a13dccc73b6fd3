// Evaluates deployed tokens in worker threads, with a time limit: a thread that hangs or crashes is replaced.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { type Evaluation, TOKEN_GETTERS } from '#model/token.ts';
import { type ChainStep, type EvaluationRequest, isCall, SCOPES, type Scope, type Step } from './messages.ts';
import { VmThread } from './vm-thread.ts';

export { type ChainStep, countReads, type DeployedSource, type Read, type ReplayedCall } from './messages.ts';

/** Without `reads`, all getters of a fungible token are read. */
export type EvaluatorRequest = Omit<EvaluationRequest, 'firstScope' | 'later' | 'reads'> &
  Partial<Pick<EvaluationRequest, 'later' | 'reads'>>;

const TOKEN_READS = TOKEN_GETTERS.map((getter) => ({ getter }));

/** Each costs the whole limit. */
const MAX_SLOW_CALLS = 2;
/** Requests that a thread has: the one that it works on, and one that waits, so that it need not. */
const PER_THREAD = 2;
/** A thread takes a second of CPU to start. What one does in less than this is not worth another: the sample's tokens. */
const NEXT_THREAD_MS = 2_000;

export class Evaluator {
  readonly #maxThreads: number;
  readonly #threads = new Set<VmThread>();
  #lastStart = 0;
  #isClosed = false;

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  /** How many calls may be under way at once before the next has to wait for a thread. */
  get room(): number {
    return this.#maxThreads * PER_THREAD;
  }

  /**
   * The evaluation, or `clarity-error`, `vm-crash`, or `vm-timeout` after the limit. A call that reaches the limit may
   * be skipped, as one that diverged. May be called concurrently.
   */
  async evaluate(
    request: EvaluatorRequest,
    timeLimitMs: number,
    { skipsSlowCalls = false } = {},
  ): Promise<Evaluation | Failure> {
    let { dependencies, later = [] } = request;
    let firstScope: Scope | undefined = SCOPES[0];
    let crash = '';
    let slowCalls = 0;
    while (firstScope !== undefined) {
      if (this.#isClosed) return fail('vm-timeout');
      const thread = this.#leastBusy();
      const outcome = await thread.run(
        { reads: TOKEN_READS, ...request, dependencies, later, firstScope },
        timeLimitMs,
      );
      if (thread.hasEnded) {
        await thread.end();
        this.#threads.delete(thread);
      }
      if (outcome === undefined) continue;
      if (skipsSlowCalls && slowCalls < MAX_SLOW_CALLS && isTimeout(outcome) && 'call' in thread.step) {
        slowCalls++;
        [dependencies, later] = leaveOut(thread.step, dependencies, later);
        continue;
      }
      if (!('step' in outcome)) return outcome;
      const { step, message } = outcome;
      crash = message;
      // What crashes the VM is left out the next time.
      if ('scope' in step) firstScope = SCOPES[SCOPES.indexOf(step.scope) + 1];
      else [dependencies, later] = leaveOut(step, dependencies, later);
    }
    return fail('vm-crash', `The Clarity VM crashed on the contract: ${crash}`);
  }

  /** Abandons what is being evaluated: it comes back as `vm-timeout`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #leastBusy(): VmThread {
    const usable = [...this.#threads].filter((thread) => !thread.hasEnded);
    const [best] = usable.sort((left, right) => left.load - right.load);
    const isSoon = performance.now() - this.#lastStart < NEXT_THREAD_MS;
    if (best !== undefined && (best.load === 0 || isSoon || usable.length >= this.#maxThreads)) return best;
    this.#lastStart = performance.now();
    const thread = new VmThread();
    this.#threads.add(thread);
    return thread;
  }
}

function isTimeout(outcome: object): boolean {
  return isFailure(outcome) && outcome.code === 'vm-timeout';
}

type Steps = readonly ChainStep[];

/** Without the deploy of a contract, or with a call that is skipped. */
function leaveOut(step: Exclude<Step, { scope: unknown }>, dependencies: Steps, later: Steps): [Steps, Steps] {
  let calls = 0;
  const edit = (steps: Steps) =>
    steps.flatMap((one): ChainStep[] => {
      if (!isCall(one)) return 'contractId' in step && one.contractId === step.contractId ? [] : [one];
      return [calls++ === ('call' in step ? step.call : undefined) ? { ...one, isSkipped: true } : one];
    });
  return [edit(dependencies), edit(later)];
}
