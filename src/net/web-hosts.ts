// Limits the requests to each host that tokens refer to, and the time that a run spends on hosts that do not respond.
import QuickLRU from 'quick-lru';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { HostQueue } from './host-queue.ts';

export interface WebHostsOptions {
  /** Hosts of gateways with their ports. They serve the content of many users, also on subdomains. */
  readonly sharedHosts: ReadonlySet<string>;
  /**
   * The time, in ms, that failed requests of a run may take in total. After that, the run sends requests only to hosts
   * (or for contents at shared hosts) that have responded before.
   */
  readonly maxFailedMs: number;
}

export interface RequestOptions {
  /** Identifies the content at a shared host. Failures then count for this content rather than for the host. */
  readonly content?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Host {
  readonly queue: HostQueue;
  /**
   * The contents whose responses requested a pause since the last success. For a host that is not shared, only the
   * host.
   */
  readonly pausedBy: Set<string>;
}

/** The results of all requests so far to a host, or for a content at a shared host. */
interface History {
  running: number;
  hasResponded: boolean;
  timeoutsInARow: number;
}

/** The maximum number of concurrent requests to a host: enough for a gateway, and not a burden for a third party. */
const REQUESTS_PER_HOST = 8;
/** The number of contents that must request a pause, without a success in between, before a shared host is paused. */
const SHARED_PAUSES_AFTER = 3;
/** The number of consecutive timeouts after which a host gets only one request at a time. */
const PROBE_AFTER_TIMEOUTS = 3;
/** The duration above which a failed request counts as a timeout, regardless of its code. */
const SLOW_MS = 5_000;
/** The time until the retry of a request that fails with `time-spent`. By then, another run can send it. */
const ANOTHER_RUN_SECONDS = 120;
/** The minimum number of hosts to remember; quick-lru keeps up to twice as many. */
const MAX_KNOWN = 10_000;

export type WebHosts = ReturnType<typeof createWebHosts>;

/**
 * Creates the queues of all hosts. Measures time with performance.now(), which is not affected by changes of the system
 * clock.
 */
export function createWebHosts({ sharedHosts, maxFailedMs }: WebHostsOptions) {
  const hosts = new QuickLRU<string, Host>({ maxSize: MAX_KNOWN });
  const histories = new QuickLRU<string, History>({ maxSize: MAX_KNOWN });
  let failedMs = 0;
  return { request };

  /**
   * Sends a request to the host of a URL when its turn comes. Does not send it while the host is paused (`host-held`),
   * or while another request checks whether an unresponsive host has recovered (`timeout`). Once `maxFailedMs` is
   * spent, does not send requests to hosts that never responded (`time-spent`).
   */
  function request<T>(
    url: URL,
    send: () => Promise<T | Failure>,
    { content, signal }: RequestOptions = {},
  ): Promise<T | Failure> {
    const shared = [...sharedHosts].find((host) => url.host === host || url.host.endsWith(`.${host}`));
    const host = getOrMake<Host>(hosts, shared ?? url.host, (host) => ({
      queue: new HostQueue({ host, concurrency: REQUESTS_PER_HOST, patienceMs: 0 }),
      pausedBy: new Set(),
    }));
    const origin = shared === undefined ? url.host : (content ?? url.href);
    return host.queue.run(async () => {
      const history = getOrMake(histories, origin, () => ({ running: 0, hasResponded: false, timeoutsInARow: 0 }));
      const refused = refusalOf(url, history);
      if (refused !== undefined) return refused;
      history.running++;
      const start = performance.now();
      const result = await send().finally(() => history.running--);
      // An aborted request is not a failure of the host.
      if (signal?.aborted) return result;
      if (!isFailure(result) || !result.retryable) {
        history.hasResponded = true;
        history.timeoutsInARow = 0;
        host.pausedBy.clear();
        return result;
      }
      const durationMs = performance.now() - start;
      failedMs += durationMs;
      if (result.code === 'timeout' || durationMs > SLOW_MS) history.timeoutsInARow++;
      if (result.retryAfterSeconds !== undefined) {
        host.pausedBy.add(origin);
        if (host.pausedBy.size >= (shared === undefined ? 1 : SHARED_PAUSES_AFTER))
          host.queue.pause(result.retryAfterSeconds * 1000);
      }
      return result;
    });
  }

  function refusalOf(url: URL, { running, hasResponded, timeoutsInARow }: History): Failure | undefined {
    if (timeoutsInARow >= PROBE_AFTER_TIMEOUTS && running > 0)
      return fail(
        'timeout',
        `${url.host} did not respond in time, ${timeoutsInARow} times in a row. The request will be sent again later.`,
      );
    if (!hasResponded && failedMs > maxFailedMs)
      return { ...fail('time-spent'), retryAfterSeconds: ANOTHER_RUN_SECONDS };
    return undefined;
  }
}

function getOrMake<Value>(known: QuickLRU<string, Value>, key: string, make: (key: string) => Value): Value {
  const value = known.get(key) ?? make(key);
  known.set(key, value);
  return value;
}
