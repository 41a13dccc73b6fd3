// Tells a watching thread which input is being read: while a reader hangs, no timer of its own thread runs.
import { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** Longer than whatever has a time limit of its own. */
const LIMIT_MS = 120_000;
const MAX_BYTES = 1 << 20;

export interface Watched {
  readonly name: string;
  /** The number of the input that is being read, 0 between inputs, and its length. */
  readonly state: Int32Array<SharedArrayBuffer>;
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly limitMs: number;
}

/** For the tests of a file: what is given to `begin` is being read until `end`. */
export function watchForHangs(name: string): { begin(input: Buffer): void; end(): void } {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const bytes = new Uint8Array(new SharedArrayBuffer(MAX_BYTES));
  const watched: Watched = { name, state, bytes, limitMs: LIMIT_MS };
  const worker = new Worker(new URL('./hang-watch.ts', import.meta.url), { workerData: watched });
  worker.unref();
  afterAll(async () => void (await worker.terminate()));
  let number = 0;
  return {
    begin(input) {
      bytes.set(input.subarray(0, MAX_BYTES));
      Atomics.store(state, 1, Math.min(input.length, MAX_BYTES));
      Atomics.store(state, 0, ++number);
    },
    end: () => void Atomics.store(state, 0, 0),
  };
}
