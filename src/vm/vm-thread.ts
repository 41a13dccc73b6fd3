// A thread with the Clarity VM. Runs one request at a time, each with a time limit.
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Failure, fail } from '#model/failure.ts';
import type { Progress, Replayed, ReplayRequest, WorkerMessage } from './messages.ts';

/**
 * The size of the young generation of the JavaScript heap. The VM creates much garbage, and the process may have a
 * smaller young generation.
 */
const YOUNG_GENERATION_MB = 16;

/** The maximum duration of a request in real time, for busy machines, as a multiple of its limit of processor time. */
const MAX_WAIT_FACTOR = 10;

interface Crash extends Progress {
  readonly message: string;
}

type Accepted = { readonly timeLimitMs: number } & PromiseWithResolvers<Replayed | Failure | Crash | undefined>;

/** The time in ms that the getters of a token may lose to earlier tokens. Measuring more often would be slow. */
const SHORT_MS = 200;

/** Runs requests in a thread. The thread ends after a timeout or a crash. */
export class VmThread {
  readonly #worker: Worker;
  progress: Progress = { step: 0 };
  /** Requests that are in progress or waiting. The first one is in progress once the VM is loaded. */
  readonly #accepted: Accepted[] = [];
  #isLoaded = false;
  #terminated: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #limitedSince = 0;

  constructor() {
    // The thread sends panics of the VM as messages, so the VM's output to the terminal is discarded.
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on('message', (message: WorkerMessage) => this.#onMessage(message));
    this.#worker.on('error', (error: Error) => this.#crash(error));
    this.#worker.on('exit', (code) => this.#crash(new Error(`the thread ended with status ${code}`)));
    // The process may exit while the thread is idle.
    this.#worker.unref();
  }

  get load(): number {
    return this.#accepted.length;
  }

  get hasEnded(): boolean {
    return this.#terminated !== undefined;
  }

  /**
   * Runs a request. Resolves to undefined if the thread ends because of another request or {@link end}. Rejects if the
   * VM cannot be loaded.
   */
  run(request: ReplayRequest, timeLimitMs: number): Accepted['promise'] {
    const accepted: Accepted = { timeLimitMs, ...Promise.withResolvers() };
    this.#accepted.push(accepted);
    this.#worker.postMessage(request);
    if (this.#accepted.length === 1) {
      this.#worker.ref();
      this.#begin();
    }
    return accepted.promise;
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#terminated ??= this.#worker.terminate();
    for (const { resolve } of this.#accepted.splice(0)) resolve(undefined);
    await this.#terminated;
  }

  #onMessage(message: WorkerMessage): void {
    if (this.hasEnded) return;
    switch (message.kind) {
      case 'ready':
        this.#isLoaded = true;
        this.#begin();
        break;
      case 'progress':
        this.progress = message.progress;
        // The getters of each token have the whole limit, so that a token that exceeds it is known.
        if (message.progress.scope === 'getters' && performance.now() - this.#limitedSince > SHORT_MS) this.#limit();
        break;
      case 'crashed':
        this.#crash(new Error(message.message));
        break;
      case 'done':
        this.#finish(message.replayed, message.isReusable);
    }
  }

  #crash(error: Error): void {
    if (this.hasEnded) return;
    if (this.#isLoaded) {
      this.#finish({ message: error.message, ...this.progress }, false);
    } else {
      for (const { reject } of this.#accepted.splice(0)) reject(error);
      void this.end();
    }
  }

  #begin(): void {
    const [first] = this.#accepted;
    if (first === undefined || !this.#isLoaded) return;
    this.progress = { step: 0 };
    this.#limit();
  }

  /** Limits the time of the request in progress from now on. */
  #limit(): void {
    const [first] = this.#accepted;
    if (first === undefined) return;
    clearTimeout(this.#timer);
    this.#limitedSince = performance.now();
    this.#endAt(first, first.timeLimitMs, this.#limitedSince, this.#usedMs());
  }

  /** Ends a request at its limit of processor time, or after {@link MAX_WAIT_FACTOR} times this limit in real time. */
  #endAt(accepted: Accepted, leftMs: number, beganAt: number, usedBefore: Promise<number>): void {
    const { timeLimitMs } = accepted;
    this.#timer = setTimeout(async () => {
      const waitMs = Math.max(0, beganAt + MAX_WAIT_FACTOR * timeLimitMs - performance.now());
      const used = Promise.all([this.#usedMs(), usedBefore]).then(([now, before]) => now - before);
      const usedMs = await Promise.race([used, sleep(waitMs, Number.NaN, { ref: false })]);
      if (this.#accepted[0] !== accepted || this.#limitedSince !== beganAt) return;
      if (usedMs < timeLimitMs) return this.#endAt(accepted, timeLimitMs - usedMs, beganAt, usedBefore);
      const seconds = timeLimitMs / 1000;
      this.#finish(fail('vm-timeout', `The Clarity VM did not finish within ${seconds} s of processor time.`), false);
    }, leftMs);
  }

  /** Returns the processor time of the thread in ms. NaN (before Node 24.6) means that real time counts instead. */
  async #usedMs(): Promise<number> {
    try {
      const { user, system } = await this.#worker.cpuUsage();
      return (user + system) / 1000;
    } catch {
      return Number.NaN;
    }
  }

  #finish(outcome: Replayed | Failure | Crash, isReusable: boolean): void {
    clearTimeout(this.#timer);
    this.#accepted.shift()?.resolve(outcome);
    if (!isReusable) void this.end();
    else if (this.#accepted.length > 0) this.#begin();
    else this.#worker.unref();
  }
}
