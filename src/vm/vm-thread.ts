// A thread with the Clarity VM, from outside: works on requests one behind the other, each with a time limit.
import { Worker } from 'node:worker_threads';
import { type EvaluationRequest, SCOPES, type WorkerMessage } from './messages.ts';

/** As Node has it by itself: the process may have been started with less, and the VM makes much garbage. */
const YOUNG_GENERATION_MB = 48;

type Step = WorkerMessage & { kind: 'trying' | 'preparing' };

export type Outcome =
  | (WorkerMessage & { kind: 'done' | 'refused' })
  | { readonly kind: 'timeout' }
  /** `step`: what it was about when it crashed. */
  | { readonly kind: 'crashed'; readonly message: string; readonly step: Step }
  /** The thread ended, and this was not the reason. */
  | { readonly kind: 'displaced' };

interface Accepted {
  readonly request: EvaluationRequest;
  readonly timeLimitMs: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: Error) => void;
}

/** Of no more use after a time-out or a crash: it ends by itself then. */
export class VmThread {
  readonly #worker: Worker;
  /** The first is the one that is worked on, once the VM is loaded. */
  readonly #accepted: Accepted[] = [];
  #isLoaded = false;
  #terminated: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #step: Step = { kind: 'trying', scope: SCOPES[0] };

  constructor() {
    // The VM prints its panics: they come back as messages, so nothing of it belongs on the terminal.
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on('message', (message: WorkerMessage) => this.#hear(message));
    this.#worker.on('error', (error: Error) => this.#crash(error));
    this.#worker.on('exit', (code) => this.#crash(new Error(`the thread ended with status ${code}`)));
    // A thread that waits for work does not keep the process alive.
    this.#worker.unref();
  }

  /** How many requests it has that are not answered. */
  get load(): number {
    return this.#accepted.length;
  }

  get hasEnded(): boolean {
    return this.#terminated !== undefined;
  }

  /** Rejects if the VM cannot be loaded. */
  run(request: EvaluationRequest, timeLimitMs: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#accepted.push({ request, timeLimitMs, resolve, reject });
      this.#worker.postMessage(request);
      if (this.#accepted.length > 1) return;
      this.#worker.ref();
      this.#begin();
    });
  }

  /** Whatever it has comes back as displaced. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#terminated ??= this.#worker.terminate();
    for (const { resolve } of this.#accepted.splice(0)) resolve({ kind: 'displaced' });
    await this.#terminated;
  }

  #hear(message: WorkerMessage): void {
    if (this.hasEnded) return;
    switch (message.kind) {
      case 'ready':
        this.#isLoaded = true;
        this.#begin();
        break;
      case 'trying':
      case 'preparing':
        this.#step = message;
        break;
      case 'crashed':
        this.#crash(new Error(message.message));
        break;
      default:
        this.#finish(message, message.isReusable);
    }
  }

  #crash(error: Error): void {
    if (this.hasEnded) return;
    if (this.#isLoaded) {
      this.#finish({ kind: 'crashed', message: error.message, step: this.#step }, false);
    } else {
      for (const { reject } of this.#accepted.splice(0)) reject(error);
      void this.end();
    }
  }

  #begin(): void {
    const [first] = this.#accepted;
    if (first === undefined || !this.#isLoaded) return;
    this.#step = { kind: 'trying', scope: first.request.firstScope };
    this.#timer = setTimeout(() => this.#finish({ kind: 'timeout' }, false), first.timeLimitMs);
  }

  #finish(outcome: Outcome, isReusable: boolean): void {
    clearTimeout(this.#timer);
    this.#accepted.shift()?.resolve(outcome);
    if (!isReusable) void this.end();
    else if (this.#accepted.length > 0) this.#begin();
    else this.#worker.unref();
  }
}
