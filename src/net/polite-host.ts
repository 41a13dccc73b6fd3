// Keeps requests to a server of the operator's polite: few at a time and a minute, none while it needs a rest.
import { setTimeout as delay } from 'node:timers/promises';
import { Budget } from '#concurrency/budget.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { Hold } from './hold.ts';
import { type HttpLimits, type HttpRequest, type HttpResponse, openPool, type ServerPool } from './send-request.ts';

export interface ServerOptions {
  readonly baseUrl: string;
  /** Sent with every request, and never shown. */
  readonly secretHeaders: Readonly<Record<string, string>>;
  readonly limits: HttpLimits;
  readonly concurrency: number;
  /** Undefined for as many as the host can answer. */
  readonly requestsPerMinute?: number | undefined;
  /** How long to wait for a host that does not answer or that asks for time; after that it is down. */
  readonly patienceMs: number;
  /** Aborted to give up everything in flight. */
  readonly signal: AbortSignal;
}

/** So many failures in a row are due to the host, not to single requests. */
const FAILURES_IN_A_ROW = 8;
const FIRST_HOLD_MS = 1_000;
const MAX_HOLD_MS = 30_000;

/** Times are those of performance.now(), which is never set back. */
export class PoliteHost implements AsyncDisposable {
  readonly host: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Why the host was given up for this run; undefined while it was not. */
  downBecauseOf: Failure | undefined;
  readonly #options: ServerOptions;
  readonly #pool: ServerPool;
  readonly #requests: Budget;
  #nextSlotAt = 0;
  readonly #hold = new Hold();
  #failuresInARow = 0;
  #failingSince = 0;
  #holds = 0;

  constructor(options: ServerOptions) {
    this.host = new URL(options.baseUrl).host;
    this.baseUrl = options.baseUrl.replace(/\/$/, '');
    this.#options = options;
    this.#pool = openPool(options.baseUrl, options.limits);
    this.#requests = new Budget(options.concurrency);
  }

  /** Waits for its turn; sends nothing while the host is held back (`host-held`) or once it is down (`source-down`). */
  ask<T>(
    path: string,
    request: Omit<HttpRequest, 'timeoutMs' | 'signal'>,
    read: (response: HttpResponse) => T | Failure,
  ): Promise<T | Failure> {
    const { signal, secretHeaders } = this.#options;
    const headers = { ...request.headers, ...secretHeaders };
    return this.#requests.use(async () => {
      const refused = await this.#turn(signal);
      if (refused !== undefined) return refused;
      const response = await this.#pool.send(new URL(`${this.baseUrl}${path}`), { ...request, headers, signal });
      const answer = isFailure(response) ? response : read(response);
      // A request that the signal ended is nobody's failure.
      if (!signal.aborted) this.#learn(answer);
      return answer;
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.close();
  }

  /** A getter, so that a host that is logged shows no secret. */
  protected get options(): ServerOptions {
    return this.#options;
  }

  async #turn(signal: AbortSignal): Promise<Failure | undefined> {
    const { requestsPerMinute = Number.POSITIVE_INFINITY, patienceMs } = this.#options;
    for (;;) {
      if (signal.aborted) return fail('source-down', 'It was not asked: interrupted.');
      if (this.downBecauseOf !== undefined) return fail('source-down');
      if (this.#hold.leftMs > patienceMs) return this.#hold.failureOf(this.host);
      const now = performance.now();
      const slotAt = Math.max(now + this.#hold.leftMs, this.#nextSlotAt);
      this.#nextSlotAt = slotAt + 60_000 / requestsPerMinute;
      if (slotAt <= now) return undefined;
      await delay(Math.ceil(slotAt - now), undefined, { signal }).catch(() => {});
      // Meanwhile it may have been held back, or given up.
      if (this.#hold.leftMs === 0 && this.downBecauseOf === undefined && !signal.aborted) return undefined;
    }
  }

  #learn(answer: unknown): void {
    const { patienceMs } = this.#options;
    const now = performance.now();
    if (!isFailure(answer)) {
      this.#failuresInARow = 0;
      this.#holds = 0;
      return;
    }
    const { code, retryAfterSeconds } = answer;
    if (this.#failuresInARow++ === 0) this.#failingSince = now;
    else if (now - this.#failingSince >= patienceMs) this.downBecauseOf ??= answer;
    const asksForTime = retryAfterSeconds !== undefined || code === 'http-429';
    // A host that keeps refusing gets ever more time, whatever it asks for; requests at the same time count once.
    if ((asksForTime || this.#failuresInARow >= FAILURES_IN_A_ROW) && this.#hold.leftMs === 0)
      this.#hold.extend(Math.min(FIRST_HOLD_MS * 2 ** this.#holds++, MAX_HOLD_MS));
    this.#hold.extend((retryAfterSeconds ?? 0) * 1000);
  }
}
