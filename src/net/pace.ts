// How many requests a storage gets at once: half as many after it asks for time, one more after many went well. What
// may go well later is tried again.
import { setTimeout as delay } from 'node:timers/promises';
import { Budget } from '#concurrency/budget.ts';
import { type Failure, isFailure } from '#model/failure.ts';
import { Hold } from './hold.ts';

const MOST_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 20_000;
/** Answers of a storage that is asked too much. */
const ASKS_FOR_TIME: ReadonlySet<string> = new Set(['http-429', 'http-503']);
/** So many requests that went well, one after the other, are a reason for one more at once. */
const GOOD_ENOUGH = 64;

export class Pace {
  readonly #most: number;
  readonly #haste: number;
  readonly #signal: AbortSignal;
  readonly #requests: Budget;
  readonly #hold = new Hold();
  #allowed: number;
  #good = 0;

  /** `haste`: by how much pauses are shorter, for tests. */
  constructor(most: number, signal: AbortSignal, haste = 1) {
    this.#most = most;
    this.#haste = haste;
    this.#allowed = most;
    this.#requests = new Budget(most);
    this.#signal = signal;
  }

  /** The last failure, where none of its attempts went well or the run was stopped. */
  async run<T>(request: () => Promise<T | Failure>): Promise<T | Failure> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.#requests.use(async () => {
        await this.#wait(this.#hold.leftMs);
        const answer = await request();
        this.#learn(answer);
        return answer;
      });
      if (!isFailure(result) || !result.retryable || attempt === MOST_ATTEMPTS || this.#signal.aborted) return result;
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      await this.#wait(Math.max(pauseMs / this.#haste, (result.retryAfterSeconds ?? 0) * 1_000));
    }
  }

  #learn(result: unknown): void {
    if (!isFailure(result)) {
      this.#good++;
      if (this.#good < GOOD_ENOUGH || this.#allowed === this.#most) return;
      this.#allow(this.#allowed + 1);
      this.#good = 0;
    } else if (ASKS_FOR_TIME.has(result.code)) {
      // Requests that were under way together count once.
      if (this.#good > 0 || this.#allowed === this.#most) this.#allow(Math.max(1, Math.ceil(this.#allowed / 2)));
      this.#good = 0;
      this.#hold.extend((result.retryAfterSeconds ?? 0) * 1_000);
    }
  }

  #allow(requests: number): void {
    this.#requests.grow(requests - this.#allowed);
    this.#allowed = requests;
  }

  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds > 0) await delay(milliseconds, undefined, { signal: this.#signal }).catch(() => {});
  }
}
