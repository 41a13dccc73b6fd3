// Runs the scripts of examples with stubs that record their calls, repeats these calls in this process, and checks
// workflows.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { OPTIONS } from '#cli/options.ts';
import type { SettingGroup } from '#cli/setting.ts';
import { runWarm } from './run-warm.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the path of an example, or of another file of the project. */
export const pathOf = (file: string): string => join(ROOT, file);
export const read = (file: string): string => readFileSync(pathOf(file), 'utf8');

export interface Stubbing {
  readonly fails?: string;
  readonly status?: number;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Puts stubs of commands first on PATH. They only record their arguments, and fail if a test requests it. */
export function stubCommands(...names: string[]) {
  const bin = tempFolder();
  const log = join(bin, 'log');
  for (const name of names) {
    const call = `call="${name} $*"; echo "$call" >> "$STUB_LOG"; case "$call" in *"$STUB_FAILS"*) exit "$STUB_STATUS";; esac`;
    // Calls with sudo count as calls of the command.
    writeFileSync(join(bin, name), `#!/bin/sh\n${name === 'sudo' ? 'exec "$@"' : call}\n`, { mode: 0o755 });
  }
  return (
    script: readonly string[],
    { fails = 'nothing fails', status = 0, shell = 'bash', env = {}, cwd = bin }: Stubbing = {},
  ) => {
    writeFileSync(log, '');
    const stubs = { PATH: `${bin}:${process.env.PATH}`, STUB_LOG: log, STUB_FAILS: fails, STUB_STATUS: `${status}` };
    const ran = spawnSync(shell, script, { cwd, encoding: 'utf8', env: { ...stubs, ...env } });
    return { status: ran.status, stderr: ran.stderr, calls: readFileSync(log, 'utf8').split('\n').slice(0, -1) };
  };
}

/** Runs a script like `sh -euc`, then runs each stxpress command in it without the VM and the network. */
export async function runScript(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<void> {
  const { status, stderr, calls } = stubCommands('stxpress')(['-euc', script], { env, shell: 'sh' });
  expect([status, stderr]).toEqual([0, '']);
  for (const call of calls) {
    const offline = { STXPRESS_QUIET: '1', STXPRESS_NO_VM: '1', STXPRESS_NO_FETCH: '1' };
    const ran = await runWarm(call.split(' ').slice(1), { cwd, env: { ...offline, ...env } });
    expect([call, ran]).toEqual([call, { status: 0, stdout: '', stderr: '' }]);
  }
}

/** Runs a Node program, a file or the text of one, in a separate thread. */
export async function runProgram(program: string, argv: readonly string[] = [], isText = false) {
  const worker = new Worker(program, { argv: [...argv], stdout: true, stderr: true, eval: isText });
  const [[status], stdout, stderr] = await Promise.all([
    once(worker, 'exit'),
    text(worker.stdout),
    text(worker.stderr),
  ]);
  return { status: status as number, stdout, stderr };
}

const CALL = /(?:stxpress\.mjs"?|npm run --silent|\bstxpress) (index|build|publish|follow|merge|serve)\b([^\n|&;]*)/g;

/** Returns the flags of stxpress commands in a text that these commands do not support. */
export function unsupportedFlags(text: string): { command: string; flag: string }[] {
  const takes: Readonly<Record<string, SettingGroup>> = OPTIONS;
  return [...text.replaceAll(/\\\n/g, ' ').matchAll(CALL)].flatMap(([, command = '', parameters = '']) => {
    const known = Object.values(takes[command] ?? {}).map((option) => option.name());
    const flags = [...parameters.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, flag = '']) => flag);
    expect(flags).not.toHaveLength(0);
    return flags.filter((flag) => !known.includes(flag)).map((flag) => ({ command, flag }));
  });
}

export interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
export interface Job {
  readonly needs?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: { readonly name: string };
  readonly container?: { readonly image: string };
  readonly steps: readonly Step[];
}

/**
 * Returns the steps by name. Checks that they use actions of GitHub at a major version, that the shell accepts each
 * script, that expressions are not inserted into scripts, and that stxpress supports all flags.
 */
export function checkedSteps(steps: readonly Step[]): (name: string) => Step & { readonly run: string } {
  for (const { uses = 'actions/a@v1', run = '' } of steps) {
    expect(uses).toMatch(/^actions\/[a-z/-]+@v\d+$/);
    expect(run).not.toContain('${{');
    expect(spawnSync('bash', ['-n'], { input: run, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(unsupportedFlags(run)).toEqual([]);
  }
  return (name) => steps.find((step) => step.name === name) as Step & { run: string };
}

/** Returns the arguments of the shell that GitHub runs a step with. */
export function asStep({ run }: { readonly run: string }): string[] {
  const file = join(tempFolder(), 'step.sh');
  writeFileSync(file, run);
  return ['--noprofile', '--norc', '-e', '-o', 'pipefail', file];
}
