// Evaluates deployed tokens in worker threads, with a time limit: a thread that hangs or crashes is replaced.
import { Worker } from 'node:worker_threads';
import { type Failure, fail } from '#model/failure.ts';
import type { Evaluation } from '#model/token.ts';
import { type EvaluationRequest, SCOPES, type Scope, type WorkerMessage } from './messages.ts';

export type { DeployedSource } from './messages.ts';

/** As Node has it by itself: the process may have been started with less, and the VM makes much garbage. */
const YOUNG_GENERATION_MB = 48;

export type EvaluatorRequest = Omit<EvaluationRequest, 'firstScope'>;

export class Evaluator {
  readonly #idle: Thread[] = [];
  readonly #all = new Set<Thread>();
  #closed = false;

  /** The evaluation, or `clarity-error`, `vm-crash`, or `vm-timeout` after `timeLimitMs`. May be called concurrently: each call has a thread of its own. */
  async evaluate(request: EvaluatorRequest, timeLimitMs: number): Promise<Evaluation | Failure> {
    let dependencies = request.dependencies;
    let firstScope: Scope | undefined = SCOPES[0];
    let crash = '';
    while (firstScope !== undefined) {
      if (this.#closed) return fail('vm-timeout');
      const thread = this.#idle.pop() ?? this.#start();
      const outcome = await thread.run({ ...request, dependencies, firstScope }, timeLimitMs);
      if (outcome.kind === 'done' || outcome.kind === 'refused') {
        if (outcome.isReusable) this.#idle.push(thread);
        else await this.#end(thread);
        if (outcome.kind === 'done') return outcome.evaluation;
        return fail('clarity-error', `The Clarity VM refuses the contract: ${outcome.message}`);
      }
      await this.#end(thread);
      if (outcome.kind === 'timeout')
        return fail('vm-timeout', `The Clarity VM did not finish within ${timeLimitMs / 1000} s.`);
      crash = outcome.message;
      const { step } = thread;
      // What crashes the VM is left out the next time: a dependency, or a scope.
      if (step.kind === 'preparing')
        dependencies = dependencies.filter(({ contractId }) => contractId !== step.contractId);
      else firstScope = SCOPES[SCOPES.indexOf(step.scope) + 1];
    }
    return fail('vm-crash', `The Clarity VM crashed on the contract: ${crash}`);
  }

  /** Abandons what is being evaluated: it comes back as `vm-timeout`. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#all].map((thread) => this.#end(thread)));
  }

  #start(): Thread {
    const thread = new Thread();
    this.#all.add(thread);
    return thread;
  }

  async #end(thread: Thread): Promise<void> {
    this.#all.delete(thread);
    await thread.terminate();
  }
}

type Step = WorkerMessage & { kind: 'trying' | 'preparing' };
type Outcome = (WorkerMessage & { kind: 'done' | 'refused' | 'crashed' }) | { readonly kind: 'timeout' };

class Thread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #ended = false;
  /** What it does, or did last. */
  step: Step = { kind: 'trying', scope: SCOPES[0] };

  constructor() {
    // The VM prints its panics: they come back as messages, so nothing of it belongs on the terminal.
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      stdout: true,
      stderr: true,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.once('message', () => resolve());
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => {
        this.#ended = true;
        resolve();
      });
    });
    // A thread that waits for work does not keep the process alive.
    this.#worker.unref();
  }

  async run(request: EvaluationRequest, timeLimitMs: number): Promise<Outcome> {
    this.step = { kind: 'trying', scope: request.firstScope };
    this.#worker.ref();
    await this.#ready;
    if (this.#ended) return { kind: 'crashed', message: 'the thread was ended' };
    return new Promise<Outcome>((resolve) => {
      const finish = (outcome: Outcome) => {
        clearTimeout(timer);
        this.#worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        this.#worker.unref();
        resolve(outcome);
      };
      const onMessage = (message: WorkerMessage) => {
        if (message.kind === 'trying' || message.kind === 'preparing') this.step = message;
        else if (message.kind !== 'ready') finish(message);
      };
      const onError = (error: Error) => finish({ kind: 'crashed', message: error.message });
      const onExit = (code: number) => finish({ kind: 'crashed', message: `the thread ended with status ${code}` });
      const timer = setTimeout(() => finish({ kind: 'timeout' }), timeLimitMs);
      this.#worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      this.#worker.postMessage(request);
    });
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}
