// How many requests a storage gets at once: half after it asks for time, one more after many went well.
import { setTimeout as delay } from 'node:timers/promises';
import { Budget } from '#concurrency/budget.ts';
import { type Failure, isFailure } from '#model/failure.ts';
import { Hold } from './hold.ts';

const MOST_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 20_000;
/** A storage that asks for more time ends the run: nobody would see what it waits for. */
const LONGEST_WAIT_SECONDS = 120;
/** Answers of a storage that is asked too much. */
const ASKS_FOR_TIME: ReadonlySet<string> = new Set(['http-429', 'http-503']);
/** So many requests that went well, one after the other, are a reason for one more at once. */
const GOOD_ENOUGH = 64;

/** `haste`: by how much pauses are shorter, for tests. */
export function createPace(most: number, signal: AbortSignal, haste = 1) {
  const requests = new Budget(most);
  const hold = new Hold();
  let allowed = most;
  let good = 0;

  const wait = async (milliseconds: number) => {
    if (milliseconds > 0) await delay(milliseconds, undefined, { signal }).catch(() => {});
  };
  const allow = (atOnce: number) => {
    requests.grow(atOnce - allowed);
    allowed = atOnce;
    good = 0;
  };
  const learn = (result: unknown) => {
    if (!isFailure(result)) {
      good++;
      if (good >= GOOD_ENOUGH && allowed < most) allow(allowed + 1);
    } else if (ASKS_FOR_TIME.has(result.code)) {
      // Requests that were under way together count once.
      if (good > 0 || allowed === most) allow(Math.max(1, Math.ceil(allowed / 2)));
      const { retryAfterSeconds = 0 } = result;
      if (retryAfterSeconds <= LONGEST_WAIT_SECONDS) hold.extend(retryAfterSeconds * 1_000);
    }
  };
  return {
    /** The last failure, where none of its attempts went well or the run was stopped. */
    async run<T>(request: () => Promise<T | Failure>): Promise<T | Failure> {
      for (let attempt = 1; ; attempt++) {
        const result = await requests.use(async () => {
          await wait(hold.leftMs);
          const answer = await request();
          learn(answer);
          return answer;
        });
        if (!isFailure(result) || !result.retryable || attempt === MOST_ATTEMPTS || signal.aborted) return result;
        const { retryAfterSeconds = 0 } = result;
        if (retryAfterSeconds > LONGEST_WAIT_SECONDS) return result;
        const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
        await wait(Math.max(pauseMs / haste, retryAfterSeconds * 1_000));
      }
    },
  };
}
