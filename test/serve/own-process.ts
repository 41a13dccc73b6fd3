// Runs the local server in a process of its own, so that its memory can be measured.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { ENTRY } from '../support/run-cli.ts';

/** Starts the server. `maxFiles`: the maximum number of open files and connections of the process. */
export async function runInOwnProcess(dist: string, maxFiles?: number) {
  const command = [process.execPath, ENTRY, 'serve', '--out', dist, '--port', '0'];
  const limit = maxFiles === undefined ? '' : `ulimit -n ${maxFiles}; `;
  const child = spawn('sh', ['-c', `${limit}exec "$@"`, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let base = '';
  for await (const line of createInterface({ input: child.stdout })) {
    base = /http:\/\/[\d.]+:\d+/.exec(line)?.[0] ?? '';
    if (base !== '') break;
  }
  const { pid } = child;
  return {
    base,
    port: Number(new URL(base).port),
    pid,
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000,
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}
