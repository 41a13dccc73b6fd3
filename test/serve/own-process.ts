// Runs the local server in a process of its own, so that its memory can be measured.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { spawnCli, untilPrinted } from '../support/run-cli.ts';

/** Starts the server. `maxFiles`: the maximum number of open files and connections of the process. */
export async function runInOwnProcess(dist: string, maxFiles?: number) {
  const startedBy = maxFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${maxFiles}; exec "$@"`, 'sh'];
  const child = spawnCli(['serve', '--out', dist, '--port', '0'], { cwd: dist, startedBy });
  child.stderr?.resume();
  const [base = ''] = /http:\/\/[\d.]+:\d+/.exec(await untilPrinted(child.stdout, /:\d+\/\n/)) ?? [];
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
