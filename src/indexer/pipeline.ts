// Runs stages of work at the same time, each until those that feed it have ended and nothing is left; one that fails stops all.

export interface Stage<T> {
  readonly result: Promise<T>;
  readonly isRunning: boolean;
}

/** The stages that may still give another one more to do. */
export interface Feeders {
  areRunning(): boolean;
  /** When none is any more. */
  readonly ended: Promise<unknown>;
}

export class Pipeline {
  readonly #controller = new AbortController();
  readonly #stages: Promise<unknown>[] = [];
  /** Aborted when the run is, or when a stage failed. */
  readonly signal: AbortSignal;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#controller.signal]);
  }

  /** Starts a stage, and tells it of those that feed it. Undefined work is no stage. */
  start<T>(
    feeders: readonly Stage<unknown>[],
    work: ((feeders: Feeders) => Promise<T>) | undefined,
  ): Stage<T | undefined> {
    let isRunning = work !== undefined;
    const own: Feeders = {
      areRunning: () => feeders.some((feeder) => feeder.isRunning),
      ended: Promise.allSettled(feeders.map((feeder) => feeder.result)),
    };
    const result = (work === undefined ? Promise.resolve(undefined) : work(own))
      .catch((error: unknown) => {
        this.#controller.abort();
        throw error;
      })
      .finally(() => {
        isRunning = false;
      });
    this.#stages.push(result);
    return {
      result,
      get isRunning() {
        return isRunning;
      },
    };
  }

  /** Waits for every stage; throws what the first one that failed threw. */
  async end(): Promise<void> {
    const ended = await Promise.allSettled(this.#stages);
    const failed = ended.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}
