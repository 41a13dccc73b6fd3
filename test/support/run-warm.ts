// Runs commands in the process of the tests, one after the other: starting one takes most of the time of most commands.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { main } from '#cli/main.ts';
import { SHARED_EVALUATOR as evaluator } from './index-options.ts';
import type { CliOptions, CliResult } from './run-cli.ts';

let last: Promise<unknown> = Promise.resolve();

interface WarmOptions extends Pick<CliOptions, 'cwd' | 'env'> {
  /** Interrupts it. */
  readonly signal?: AbortSignal;
  /** Hears all that was printed so far. */
  readonly onPrint?: (stdout: string) => void;
}

/** As `runCli` does; not for what reads standard input. */
export function runWarm(args: readonly string[], options: WarmOptions): Promise<CliResult> {
  const result = last.then(() => run(args, options));
  last = result.catch(() => {});
  return result;
}

async function run(
  args: readonly string[],
  { cwd, env = {}, signal = new AbortController().signal, onPrint = () => {} }: WarmOptions,
): Promise<CliResult> {
  const printed = { stdout: '', stderr: '' };
  const output = (name: keyof typeof printed) => ({
    write: (text: string) => {
      printed[name] += text;
      onPrint(printed.stdout);
    },
  });
  // Servers of the test are in this process too, and a command may never wait.
  await nextTurn();
  const before = { cwd: process.cwd(), env: process.env };
  process.chdir(cwd);
  // The tools of AWS read the environment of the process.
  process.env = { ...before.env, ...env };
  try {
    const world = { env: process.env, stdout: output('stdout'), stderr: output('stderr'), signal, evaluator };
    return { status: await main(args, world), ...printed };
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
  }
}

/** What `status --json` says. */
export async function statusOf(cwd: string): Promise<Record<string, unknown>> {
  return JSON.parse((await runWarm(['status', '--json'], { cwd })).stdout) as Record<string, unknown>;
}

/** What a command printed that must have ended well. */
export function okOf({ status, stdout, stderr }: CliResult): string {
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

/** A command must have ended so, and said why. */
export function expectRefused({ status, stderr }: CliResult, says: string | RegExp, as = 1): void {
  expect([status, stderr]).toEqual([as, expect.stringMatching(typeof says === 'string' ? RegExp.escape(says) : says)]);
}
