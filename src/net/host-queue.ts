// Sends the requests to one host in order and within limits. Backs off if the host requests a pause or fails
// repeatedly.
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { isTemporary } from '#model/temporary.ts';

export interface HostLimits {
  readonly host: string;
  /** The maximum number of concurrent requests. */
  readonly concurrency: number;
  /** The maximum rate; undefined for no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** The maximum pause for which a request waits. A host whose requests fail for this time counts as down. */
  readonly patienceMs: number;
  /** Aborted to stop all waiting and retrying. */
  readonly signal?: AbortSignal | undefined;
  /**
   * True to adapt the concurrency to the host. It is halved when the host requests a pause, and raised by one after
   * {@link SUCCESSES_FOR_MORE} successes.
   */
  readonly isAdaptive?: boolean;
  /** Divides the delays that the host did not request, for tests. */
  readonly speedUp?: number | undefined;
}

/** The number of consecutive failures after which the host itself is considered faulty, and requests are paused. */
const FAILURES_IN_A_ROW = 8;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const FIRST_RETRY_MS = 30;
const RETRY_GROWTH = 3;
/** The number of successes after which the concurrency is raised by one. */
const SUCCESSES_FOR_MORE = 64;

/**
 * A queue of requests to one host. Measures time with performance.now(), because the rate limit of p-queue would stall
 * when the system clock is set back.
 */
export class HostQueue {
  /** The failure that marked the host as down. No requests are sent after it. */
  downBecauseOf: Failure | undefined;
  readonly #limits: HostLimits;
  readonly #queue: PQueue;
  #nextStartAt = 0;
  #pausedUntil = 0;
  #pauses = 0;
  #failuresInARow = 0;
  #failingSince = 0;
  #successes = 0;

  constructor(limits: HostLimits) {
    this.#limits = limits;
    this.#queue = new PQueue({ concurrency: limits.concurrency });
  }

  /** Sends a request when its turn comes. Returns `host-held` or `source-down` if the request is not sent. */
  run<T>(request: () => Promise<T | Failure>): Promise<T | Failure> {
    return this.#queue.add(async () => (await this.#waitForTurn()) ?? request());
  }

  /** Sends a request like `run`, but backs off after failures and retries temporary ones. */
  async runWithRetries<T>(request: () => Promise<T | Failure>, attempts = 1): Promise<T | Failure> {
    const { patienceMs, signal, speedUp = 1 } = this.#limits;
    for (let attempt = 1; ; attempt++) {
      const result = await this.run(async () => {
        const response = await request();
        // Failures of aborted requests are not caused by the host.
        if (!signal?.aborted) this.#adapt(response);
        return response;
      });
      const isOver = attempt === attempts || signal?.aborted || this.downBecauseOf || this.#pauseMs > patienceMs;
      if (!isFailure(result) || !isTemporary(result) || isOver) return result;
      const retryMs = FIRST_RETRY_MS * RETRY_GROWTH ** attempt * (0.5 + Math.random() / 2);
      await delay(retryMs / speedUp, undefined, { signal }).catch(() => {});
    }
  }

  /** Pauses all requests from now on. Does not shorten an earlier pause. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  get #pauseMs(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  async #waitForTurn(): Promise<Failure | undefined> {
    const { host, requestsPerMinute = Number.POSITIVE_INFINITY, patienceMs, signal } = this.#limits;
    for (;;) {
      if (signal?.aborted) return fail('source-down', 'The request was not sent: the run was interrupted.');
      if (this.downBecauseOf !== undefined) return fail('source-down');
      const pauseMs = this.#pauseMs;
      const retryAfterSeconds = pauseMs / 1_000;
      const message = `${host} requested a pause of ${Math.ceil(retryAfterSeconds)} s.`;
      if (pauseMs > patienceMs) return { ...fail('host-held', message), retryAfterSeconds };
      const now = performance.now();
      const startAt = Math.max(now + pauseMs, this.#nextStartAt);
      this.#nextStartAt = startAt + 60_000 / requestsPerMinute;
      if (startAt <= now) return undefined;
      await delay(Math.ceil(startAt - now), undefined, { signal }).catch(() => {});
      if (this.#pauseMs === 0 && this.downBecauseOf === undefined && !signal?.aborted) return undefined;
    }
  }

  #adapt(result: unknown): void {
    const { concurrency, patienceMs, isAdaptive, speedUp = 1 } = this.#limits;
    if (!isFailure(result)) {
      this.#failuresInARow = 0;
      this.#pauses = 0;
      if (++this.#successes >= SUCCESSES_FOR_MORE)
        this.#setConcurrency(Math.min(this.#queue.concurrency + 1, concurrency));
      return;
    }
    const now = performance.now();
    if (this.#failuresInARow++ === 0) this.#failingSince = now;
    else if (now - this.#failingSince >= patienceMs) this.downBecauseOf ??= result;
    const { code, retryAfterSeconds } = result;
    const requestsPause = retryAfterSeconds !== undefined || code === 'http-429' || code === 'http-503';
    // Failures during a pause belong to concurrent requests, so they do not add another pause.
    if ((requestsPause || this.#failuresInARow >= FAILURES_IN_A_ROW) && this.#pauseMs === 0) {
      // Each pause is twice as long as the previous one until a request succeeds, even if the host requests a shorter
      // pause.
      this.pause(Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses++, MAX_PAUSE_MS) / speedUp);
      if (requestsPause && isAdaptive) this.#setConcurrency(Math.ceil(this.#queue.concurrency / 2));
    }
    this.pause((retryAfterSeconds ?? 0) * 1_000);
  }

  #setConcurrency(concurrency: number): void {
    this.#queue.concurrency = concurrency;
    this.#successes = 0;
  }
}
