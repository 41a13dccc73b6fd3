// Runs commands one after the other in one process, which a test file has for all of its tests: starting a process
// takes most of the time of most commands.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import type { CliOptions, CliResult } from './run-cli.ts';

/** Optimising the Clarity VM takes longer than a few tokens do. */
const FLAGS = ['--liftoff-only'];

/** What the process is sent. */
export interface WarmRun extends Pick<CliOptions, 'cwd' | 'env'> {
  readonly args: readonly string[];
}

let child: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

afterAll(async () => {
  if (child === undefined) return;
  const exit = once(child, 'exit');
  child.disconnect();
  child = undefined;
  await exit;
});

/** As `runCli` does; not for what is told a signal, reads standard input, or goes on until it is ended. */
export function runWarm(args: readonly string[], { cwd, env = {} }: Omit<WarmRun, 'args'>): Promise<CliResult> {
  const result = last.then(() => ask({ args, cwd, env }));
  last = result.catch(() => {});
  return result;
}

function ask(run: WarmRun): Promise<CliResult> {
  child ??= fork(fileURLToPath(new URL('./warm-cli.ts', import.meta.url)), { execArgv: FLAGS });
  const asked = child;
  return new Promise((resolve, reject) => {
    const lose = (status: number | null) => {
      child = undefined;
      reject(new Error(`the process of the commands ended with ${status}`));
    };
    asked.once('exit', lose).once('message', (result: CliResult) => {
      asked.off('exit', lose);
      resolve(result);
    });
    asked.send(run);
  });
}
