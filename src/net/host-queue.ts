// Sends the requests to one host in order, within limits, and backs off when the host asks for time or is in trouble.
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { type Failure, fail, isFailure } from '#model/failure.ts';

export interface HostLimits {
  readonly host: string;
  /** Requests at once. */
  readonly concurrency: number;
  /** Undefined: no limit. */
  readonly requestsPerMinute?: number | undefined;
  /** The longest pause to wait for, and the time of failures after which a host is down. */
  readonly patienceMs: number;
  /** Once aborted, no request waits or is retried. */
  readonly signal?: AbortSignal | undefined;
  /** True to find the concurrency that a host allows: half after it asks for time, and one more after successes. */
  readonly isAdaptive?: boolean;
  /** Divisor of delays that the host did not ask for, for tests. */
  readonly speedUp?: number | undefined;
}

/** A host that fails this often in a row is in trouble itself. */
const FAILURES_IN_A_ROW = 8;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const FIRST_RETRY_MS = 30;
const RETRY_GROWTH = 3;
/** Number of successes after which one more request runs at once. */
const SUCCESSES_FOR_MORE = 64;

/** Times are those of performance.now(): p-queue's own rate would wait for as long as the clock is set back. */
export class HostQueue {
  /** The failure that made the host count as down; nothing is sent after it. */
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

  /** Sends a request in its turn. Returns `host-held` or `source-down` without a request. */
  run<T>(request: () => Promise<T | Failure>): Promise<T | Failure> {
    return this.#queue.add(async () => (await this.#waitForTurn()) ?? request());
  }

  /** The same, but backs off after failures, and retries those that may pass. */
  async ask<T>(request: () => Promise<T | Failure>, attempts = 1): Promise<T | Failure> {
    const { patienceMs, signal, speedUp = 1 } = this.#limits;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.run(async () => {
        const answer = await request();
        // The signal ends requests, too, and the host is not their cause.
        if (!signal?.aborted) this.#learn(answer);
        return answer;
      });
      const isOver = attempt === attempts || signal?.aborted || this.downBecauseOf || this.#pauseMs > patienceMs;
      if (!isFailure(answer) || !answer.retryable || isOver) return answer;
      const retryMs = FIRST_RETRY_MS * RETRY_GROWTH ** attempt * (0.5 + Math.random() / 2);
      await delay(retryMs / speedUp, undefined, { signal }).catch(() => {});
    }
  }

  /** Pauses the requests from now on; never shortens a pause. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  get #pauseMs(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  async #waitForTurn(): Promise<Failure | undefined> {
    const { host, requestsPerMinute = Number.POSITIVE_INFINITY, patienceMs, signal } = this.#limits;
    for (;;) {
      if (signal?.aborted) return fail('source-down', 'It was not asked: interrupted.');
      if (this.downBecauseOf !== undefined) return fail('source-down');
      const pauseMs = this.#pauseMs;
      const retryAfterSeconds = pauseMs / 1_000;
      const message = `${host} asked to be left alone for ${Math.ceil(retryAfterSeconds)} s.`;
      if (pauseMs > patienceMs) return { ...fail('host-held', message), retryAfterSeconds };
      const now = performance.now();
      const startAt = Math.max(now + pauseMs, this.#nextStartAt);
      this.#nextStartAt = startAt + 60_000 / requestsPerMinute;
      if (startAt <= now) return undefined;
      await delay(Math.ceil(startAt - now), undefined, { signal }).catch(() => {});
      if (this.#pauseMs === 0 && this.downBecauseOf === undefined && !signal?.aborted) return undefined;
    }
  }

  #learn(answer: unknown): void {
    const { concurrency, patienceMs, isAdaptive, speedUp = 1 } = this.#limits;
    if (!isFailure(answer)) {
      this.#failuresInARow = 0;
      this.#pauses = 0;
      if (++this.#successes >= SUCCESSES_FOR_MORE)
        this.#setConcurrency(Math.min(this.#queue.concurrency + 1, concurrency));
      return;
    }
    const now = performance.now();
    if (this.#failuresInARow++ === 0) this.#failingSince = now;
    else if (now - this.#failingSince >= patienceMs) this.downBecauseOf ??= answer;
    const { code, retryAfterSeconds } = answer;
    const asksForTime = retryAfterSeconds !== undefined || code === 'http-429' || code === 'http-503';
    // Requests in progress at the same time count once.
    if ((asksForTime || this.#failuresInARow >= FAILURES_IN_A_ROW) && this.#pauseMs === 0) {
      // Each pause without a success in between doubles, even if the host asks for less.
      this.pause(Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses++, MAX_PAUSE_MS) / speedUp);
      if (asksForTime && isAdaptive) this.#setConcurrency(Math.ceil(this.#queue.concurrency / 2));
    }
    this.pause((retryAfterSeconds ?? 0) * 1_000);
  }

  #setConcurrency(concurrency: number): void {
    this.#queue.concurrency = concurrency;
    this.#successes = 0;
  }
}
