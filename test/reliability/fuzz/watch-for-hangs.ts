// Detects a reader that hangs. Another thread watches it, because the timers of the reader's thread do not fire during
// a hang.
import { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** The maximum duration of a read. It is longer than all other time limits, so that only hangs exceed it. */
const LIMIT_MS = 120_000;
const MAX_BYTES = 1 << 20;

/** The code of the watching thread. If a read takes too long, it prints the input and kills the process. */
const WATCH = `const { writeSync } = require('node:fs');
  const { name, state, bytes, limitMs } = require('node:worker_threads').workerData;
  for (;;) {
    const number = Atomics.load(state, 0);
    Atomics.wait(state, 0, number, limitMs);
    if (number === 0 || Atomics.load(state, 0) !== number) continue;
    const input = Buffer.from(bytes.slice(0, Atomics.load(state, 1))).toString('base64');
    writeSync(2, \`\\n\${name}: an input has been read for \${limitMs} ms, base64:\\n\${input}\\n\`);
    process.kill(process.pid, 'SIGKILL');
  }`;

/**
 * Starts the watching thread for a test file. Returns functions to call before (`begin`) and after (`end`) an input is
 * read.
 */
export function watchForHangs(name: string): { begin(input: Buffer): void; end(): void } {
  /** Two numbers: that of the current input, which is 0 between inputs, and the input's length. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  const bytes = new Uint8Array(new SharedArrayBuffer(MAX_BYTES));
  const worker = new Worker(WATCH, { eval: true, workerData: { name, state, bytes, limitMs: LIMIT_MS } });
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
