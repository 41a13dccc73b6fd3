// A thread that watches which input is being read, and ends the process, with the input told, when it is the same one
// for too long.
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Watched } from './watch-for-hangs.ts';

const STDERR = 2;
const { name, state, bytes, limitMs } = workerData as Watched;

for (;;) {
  const number = Atomics.load(state, 0);
  Atomics.wait(state, 0, number, limitMs);
  if (number === 0 || Atomics.load(state, 0) !== number) continue;
  const input = Buffer.from(bytes.slice(0, Atomics.load(state, 1)));
  writeSync(STDERR, `\n${name}: an input has been read for ${limitMs} ms, base64:\n${input.toString('base64')}\n`);
  process.kill(process.pid, 'SIGKILL');
}
