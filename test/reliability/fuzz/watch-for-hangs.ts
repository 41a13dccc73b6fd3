// Watches a reader from another thread, because timers of the reader's thread do not fire while it hangs.
import { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** Time limit of an input, longer than all other time limits. */
const LIMIT_MS = 120_000;
const MAX_BYTES = 1 << 20;

/** Code of the watching thread. It prints the input and ends the process if a read takes too long. */
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

/** Starts the watching thread for a test file. Call `begin` before an input is read, and `end` after it. */
export function watchForHangs(name: string): { begin(input: Buffer): void; end(): void } {
  /** The number of the current input (0 between inputs), and its length. */
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
