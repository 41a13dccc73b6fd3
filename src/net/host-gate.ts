// Keeps requests polite: a few at a time to each host, and none to a host that asked to be left alone for a while.
import PQueue from 'p-queue';
import { type Failure, fail, isFailure } from '#model/failure.ts';

export interface HostGateOptions {
  /** Requests at a time to one host. */
  readonly perHost: number;
  /** Milliseconds, of a clock that is never set. */
  readonly now: () => number;
}

export class HostGate {
  readonly #options: HostGateOptions;
  readonly #queues = new Map<string, PQueue>();
  /** When each host may be asked again, by that clock. */
  readonly #heldUntil = new Map<string, number>();

  constructor(options: HostGateOptions) {
    this.#options = options;
  }

  /** Runs a request when it is the host's turn; `host-held`, without a request, while the host is held back. */
  async run<T>(host: string, request: () => Promise<T | Failure>): Promise<T | Failure> {
    const result = await this.#queueOf(host).add(async () => this.#held(host) ?? request());
    if (isFailure(result) && result.code !== 'host-held' && result.retryAfterSeconds !== undefined) {
      const until = this.#options.now() + result.retryAfterSeconds * 1000;
      this.#heldUntil.set(host, Math.max(until, this.#heldUntil.get(host) ?? 0));
    }
    return result as T | Failure;
  }

  #held(host: string): Failure | undefined {
    const leftMs = (this.#heldUntil.get(host) ?? 0) - this.#options.now();
    if (leftMs <= 0) return undefined;
    return { ...fail('host-held', `${host} asked to be left alone for a while.`), retryAfterSeconds: leftMs / 1000 };
  }

  #queueOf(host: string): PQueue {
    const queue = this.#queues.get(host) ?? new PQueue({ concurrency: this.#options.perHost });
    this.#queues.set(host, queue);
    return queue;
  }
}
