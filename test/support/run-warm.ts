// Runs commands in the test process, one after the other, because starting a process takes longer than most commands.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { main } from '#cli/main.ts';
import { SHARED_EVALUATOR as evaluator } from './index-options.ts';
import type { CliOptions, CliResult } from './run-cli.ts';

let last: Promise<unknown> = Promise.resolve();

interface WarmOptions extends Pick<CliOptions, 'cwd' | 'env'> {
  /** Interrupts the command. */
  readonly signal?: AbortSignal;
  /** Called with all output so far. */
  readonly onPrint?: (stdout: string) => void;
}

/** Runs a command like `runCli`, but without standard input. */
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
  // Servers of the test run in this process too, so commands must not block it.
  await nextTurn();
  const before = { cwd: process.cwd(), env: process.env };
  process.chdir(cwd);
  // The AWS packages read the environment of the process.
  process.env = { ...before.env, ...env };
  try {
    const world = { env: process.env, stdout: output('stdout'), stderr: output('stderr'), signal, evaluator };
    return { status: await main(args, world), ...printed };
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
  }
}

/** Returns the output of `status --json`. */
export async function statusOf(cwd: string): Promise<Record<string, unknown>> {
  return JSON.parse((await runWarm(['status', '--json'], { cwd })).stdout) as Record<string, unknown>;
}

/** Returns the output of a command, which must have succeeded. */
export function okOf({ status, stdout, stderr }: CliResult): string {
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

/** Checks the exit status of a command and its message. */
export function expectRefused({ status, stderr }: CliResult, message: string | RegExp, exitStatus = 1): void {
  expect([status, stderr]).toEqual([
    exitStatus,
    expect.stringMatching(typeof message === 'string' ? RegExp.escape(message) : message),
  ]);
}
