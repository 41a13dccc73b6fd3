// Runs stxpress commands in the test process, one after the other. Starting a process would take longer than most
// commands.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { main } from '#cli/main.ts';
import { SHARED_EVALUATOR as evaluator } from './index-options.ts';
import type { CliOptions, CliResult } from './run-cli.ts';

let last: Promise<unknown> = Promise.resolve();

interface WarmOptions extends Pick<CliOptions, 'cwd' | 'env'> {
  /** Aborts the command. */
  readonly signal?: AbortSignal;
  /** Called whenever the command prints. Receives all text on standard output so far. */
  readonly onPrint?: (stdout: string) => void;
}

/** Runs a command like {@link runCli}, but in this process and without standard input. */
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
  // The test's servers run in this process too. This pause lets them respond between commands.
  await nextTurn();
  const before = { cwd: process.cwd(), env: process.env };
  process.chdir(cwd);
  // The AWS packages read `process.env` instead of the environment that the command receives.
  process.env = { ...before.env, ...env };
  try {
    const world = { env: process.env, stdout: output('stdout'), stderr: output('stderr'), signal, evaluator };
    return { status: await main(args, world), ...printed };
  } finally {
    process.chdir(before.cwd);
    process.env = before.env;
  }
}

/** Returns the parsed output of `stxpress status --json`. */
export async function statusOf(cwd: string): Promise<Record<string, unknown>> {
  return JSON.parse((await runWarm(['status', '--json'], { cwd })).stdout) as Record<string, unknown>;
}

/** Returns the standard output of a command. Throws if the command failed. */
export function okOf({ status, stdout, stderr }: CliResult): string {
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return stdout;
}

/** Checks that a command failed with this exit status and this message. */
export function expectRefused({ status, stderr }: CliResult, message: string | RegExp, exitStatus = 1): void {
  expect([status, stderr]).toEqual([
    exitStatus,
    expect.stringMatching(typeof message === 'string' ? RegExp.escape(message) : message),
  ]);
}
