// Replays calls and deploys of the chain in worker threads with a time limit. Replaces threads that hang or crash.
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { type ChainStep, isCall, type Replayed, type ReplayRequest, SCOPES, type Scope } from './messages.ts';
import { VmThread } from './vm-thread.ts';

/** The maximum number of slow calls to skip in a replay. Each slow call takes the full time limit. */
const MAX_SLOW_CALLS = 2;
/** The number of requests that a thread accepts: one in progress, and one waiting so that the thread is never idle. */
const PER_THREAD = 2;
/**
 * The minimum time between the starts of two threads. A start takes a second of CPU time, too much for small tasks such
 * as the tokens of the sample.
 */
const NEXT_THREAD_MS = 2_000;

/** A failure with the step at which the VM stopped: it crashed on one of several tokens, or reached the time limit. */
export type Stopped = Failure & { readonly step?: number; readonly scope?: Scope | undefined };

/** Distributes requests over threads. */
export class Evaluator {
  readonly #maxThreads: number;
  readonly #threads = new Set<VmThread>();
  #lastStart = 0;
  #isClosed = false;

  constructor(maxThreads: number) {
    this.#maxThreads = maxThreads;
  }

  /** The number of requests that threads accept. Further requests wait for a thread. */
  get capacity(): number {
    return this.#maxThreads * PER_THREAD;
  }

  /**
   * Replays a request. Several replays may run at the same time. Skips a step that crashes the VM, unless several tokens
   * share the session, which may be the reason of the crash.
   */
  async replay(
    request: ReplayRequest,
    timeLimitMs: number,
    { skipsSlowCalls = false } = {},
  ): Promise<Replayed | Stopped> {
    let { steps } = request;
    let { firstScope = SCOPES[0] }: { firstScope?: Scope | undefined } = request;
    let slowCalls = 0;
    for (;;) {
      if (this.#isClosed) return fail('vm-timeout');
      const thread = this.#leastBusy();
      const outcome = await thread.run({ ...request, steps, firstScope }, timeLimitMs);
      if (thread.hasEnded) {
        await thread.end();
        this.#threads.delete(thread);
      }
      if (outcome === undefined) continue;
      if (isFailure(outcome)) {
        const { step: at, scope } = thread.progress;
        const step = steps[at];
        const isSlowCall = step !== undefined && isCall(step) && outcome.code === 'vm-timeout';
        if (!skipsSlowCalls || !isSlowCall || slowCalls++ === MAX_SLOW_CALLS) return { ...outcome, step: at, scope };
        steps = skipStep(steps, at);
        continue;
      }
      if ('diverged' in outcome) return outcome;
      const { message, step, scope } = outcome;
      const crash = fail('vm-crash', `The Clarity VM crashed on the contract: ${message}`);
      if (request.tokens.length > 1) return { ...crash, step };
      if (scope === undefined) {
        steps = skipStep(steps, step);
        continue;
      }
      const next = SCOPES[SCOPES.indexOf(scope) + 1];
      if (next === undefined) return crash;
      firstScope = next;
    }
  }

  /** Aborts all replays in progress, which then return `vm-timeout`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #leastBusy(): VmThread {
    const usable = [...this.#threads].filter((thread) => !thread.hasEnded);
    const [leastBusy] = usable.sort((left, right) => left.load - right.load);
    const isSoon = performance.now() - this.#lastStart < NEXT_THREAD_MS;
    if (leastBusy !== undefined && (leastBusy.load === 0 || isSoon || usable.length >= this.#maxThreads))
      return leastBusy;
    this.#lastStart = performance.now();
    const thread = new VmThread();
    this.#threads.add(thread);
    return thread;
  }
}

function skipStep(steps: readonly ChainStep[], at: number): ChainStep[] {
  return steps.map((step, index) => (index === at ? { ...step, isSkipped: true } : step));
}
