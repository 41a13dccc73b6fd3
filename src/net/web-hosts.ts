// Limits requests to the hosts that tokens name, and keeps unresponsive hosts from taking all of a run's time.
import { Budget } from '#concurrency/budget.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import { RecentMap } from './recent-map.ts';

export interface WebHostsOptions {
  /** Hosts, with their ports, that serve content of many strangers: gateways. */
  readonly sharedHosts: ReadonlySet<string>;
  /** After this much wasted time, hosts (or shared content) that never answered are skipped for the run. */
  readonly maxLostMs: number;
}

export interface AskOptions {
  /** Identifies the content requested from a shared host: a failure applies only to that content. */
  readonly content?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Host {
  readonly requests: Budget;
  heldUntil: number;
  /** Contents for which the host asked for time since the last success. */
  readonly askers: Set<string>;
}

/** How a host, or content at a shared host, has answered so far. */
interface Standing {
  running: number;
  hasAnswered: boolean;
  /** Consecutive requests that wasted time. */
  lostInARow: number;
}

/** Enough for a gateway, few enough for a stranger. */
const REQUESTS_PER_HOST = 8;
/** A shared host is held back after asking for time for this many contents in a row: the cause is then the host. */
const SHARED_HOLDS_AFTER = 3;
/** After this many consecutive time-outs a host is probed by one request at a time. */
const SILENT_AFTER = 3;
/** Any failure slower than this counts as wasted time. */
const SLOW_MS = 5_000;
/** Retry delay once a run's time is spent: in another run, before most of the other failures. */
const ANOTHER_RUN_SECONDS = 120;
const MAX_KNOWN = 10_000;

/** Times are from performance.now(), which is never set back. */
export class WebHosts {
  readonly #options: WebHostsOptions;
  readonly #hosts = new RecentMap<Host>(MAX_KNOWN, () => ({
    requests: new Budget(REQUESTS_PER_HOST),
    heldUntil: 0,
    askers: new Set(),
  }));
  readonly #standings = new RecentMap<Standing>(MAX_KNOWN, () => ({ running: 0, hasAnswered: false, lostInARow: 0 }));
  #lostMs = 0;

  constructor(options: WebHostsOptions) {
    this.#options = options;
  }

  /**
   * Sends a request to the host of a URL when it is its turn. Fails without a request while the host is held back
   * (`host-held`), while another request probes whether a silent host is back (`timeout`), and once the run's time is
   * spent if nothing has answered yet (`time-spent`).
   */
  ask<T>(url: URL, request: () => Promise<T | Failure>, { content, signal }: AskOptions = {}): Promise<T | Failure> {
    const isShared = this.#options.sharedHosts.has(url.host);
    const host = this.#hosts.get(url.host);
    const asker = isShared ? (content ?? url.href) : url.host;
    return host.requests.use(async () => {
      const standing = this.#standings.get(asker);
      const refused = this.#refusalOf(url, host, standing);
      if (refused !== undefined) return refused;
      standing.running++;
      const start = performance.now();
      const answer = await request().finally(() => standing.running--);
      // An aborted request is not a failure of the host.
      if (signal?.aborted) return answer;
      if (!isFailure(answer) || !answer.retryable) {
        standing.hasAnswered = true;
        standing.lostInARow = 0;
        host.askers.clear();
        return answer;
      }
      const now = performance.now();
      this.#lostMs += now - start;
      if (answer.code === 'timeout' || now - start > SLOW_MS) standing.lostInARow++;
      if (answer.retryAfterSeconds !== undefined) {
        host.askers.add(asker);
        if (host.askers.size >= (isShared ? SHARED_HOLDS_AFTER : 1))
          host.heldUntil = Math.max(host.heldUntil, now + answer.retryAfterSeconds * 1000);
      }
      return answer;
    });
  }

  #refusalOf(url: URL, { heldUntil }: Host, { running, hasAnswered, lostInARow }: Standing): Failure | undefined {
    const heldSeconds = (heldUntil - performance.now()) / 1000;
    if (heldSeconds > 0) {
      const message = `${url.host} asked to be left alone for ${Math.ceil(heldSeconds)} s.`;
      return { ...fail('host-held', message), retryAfterSeconds: heldSeconds };
    }
    if (lostInARow >= SILENT_AFTER && running > 0)
      return fail(
        'timeout',
        `${url.host} did not answer in time, ${lostInARow} times in a row; it is asked again later.`,
      );
    if (!hasAnswered && this.#lostMs > this.#options.maxLostMs)
      return { ...fail('time-spent'), retryAfterSeconds: ANOTHER_RUN_SECONDS };
    return undefined;
  }
}
