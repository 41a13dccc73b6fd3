// Keeps requests to the hosts that tokens name polite, and keeps hosts that only cost time from taking all of a run's.
import QuickLRU from 'quick-lru';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { HostQueue } from './host-queue.ts';

export interface WebHostsOptions {
  /** Hosts of gateways, with their ports. They serve the content of many users, also on subdomains. */
  readonly sharedHosts: ReadonlySet<string>;
  /** How much time a run's requests lose before it asks no host, or content at a shared one, that has not answered. */
  readonly maxLostMs: number;
}

export interface AskOptions {
  /** Names the content that a shared host is asked for: what fails says something about that alone. */
  readonly content?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Host {
  readonly queue: HostQueue;
  /** Hosts, or contents, that asked for time since the last good answer. */
  readonly askers: Set<string>;
}

/** How a host, or content at a shared one, answered so far. */
interface Standing {
  running: number;
  hasResponded: boolean;
  lostInARow: number;
}

/** Enough for a gateway, few enough for a stranger. */
const REQUESTS_PER_HOST = 8;
/** Number of contents in a row with which a shared host asks for time before it is paused. */
const SHARED_PAUSES_AFTER = 3;
/** A host that was silent this often in a row is probed by one request at a time. */
const SILENT_AFTER = 3;
/** A failure that took longer than this cost time, whatever it is. */
const SLOW_MS = 5_000;
/** When to come back once the time of a run is spent: in another run, before most of what has failed. */
const ANOTHER_RUN_SECONDS = 120;
/** The minimum number of hosts to remember; quick-lru keeps up to twice as many. */
const MAX_KNOWN = 10_000;

export type WebHosts = ReturnType<typeof createWebHosts>;

/** Times are those of performance.now(), which is never set back. */
export function createWebHosts({ sharedHosts, maxLostMs }: WebHostsOptions) {
  const hosts = new QuickLRU<string, Host>({ maxSize: MAX_KNOWN });
  const standings = new QuickLRU<string, Standing>({ maxSize: MAX_KNOWN });
  let lostMs = 0;
  return { ask };

  /**
   * Sends a request to the host of a URL when it is its turn. Fails without a request while the host needs a pause
   * (`host-held`), while another request finds out whether a silent host is back (`timeout`), and once the time of the
   * run is spent where nothing has answered yet (`time-spent`).
   */
  function ask<T>(
    url: URL,
    request: () => Promise<T | Failure>,
    { content, signal }: AskOptions = {},
  ): Promise<T | Failure> {
    const shared = [...sharedHosts].find((host) => url.host === host || url.host.endsWith(`.${host}`));
    const host = getOrMake<Host>(hosts, shared ?? url.host, (host) => ({
      queue: new HostQueue({ host, concurrency: REQUESTS_PER_HOST, patienceMs: 0 }),
      askers: new Set(),
    }));
    const asker = shared === undefined ? url.host : (content ?? url.href);
    return host.queue.run(async () => {
      const standing = getOrMake(standings, asker, () => ({ running: 0, hasResponded: false, lostInARow: 0 }));
      const refused = refusalOf(url, standing);
      if (refused !== undefined) return refused;
      standing.running++;
      const start = performance.now();
      const answer = await request().finally(() => standing.running--);
      // A request that the signal ended is nobody's failure.
      if (signal?.aborted) return answer;
      if (!isFailure(answer) || !answer.retryable) {
        standing.hasResponded = true;
        standing.lostInARow = 0;
        host.askers.clear();
        return answer;
      }
      const durationMs = performance.now() - start;
      lostMs += durationMs;
      if (answer.code === 'timeout' || durationMs > SLOW_MS) standing.lostInARow++;
      if (answer.retryAfterSeconds !== undefined) {
        host.askers.add(asker);
        if (host.askers.size >= (shared === undefined ? 1 : SHARED_PAUSES_AFTER))
          host.queue.pause(answer.retryAfterSeconds * 1000);
      }
      return answer;
    });
  }

  function refusalOf(url: URL, { running, hasResponded, lostInARow }: Standing): Failure | undefined {
    if (lostInARow >= SILENT_AFTER && running > 0)
      return fail(
        'timeout',
        `${url.host} did not answer in time, ${lostInARow} times in a row; it is asked again later.`,
      );
    if (!hasResponded && lostMs > maxLostMs) return { ...fail('time-spent'), retryAfterSeconds: ANOTHER_RUN_SECONDS };
    return undefined;
  }
}

function getOrMake<Value>(known: QuickLRU<string, Value>, key: string, make: (key: string) => Value): Value {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}
