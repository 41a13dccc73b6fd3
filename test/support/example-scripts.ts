// Runs the example scripts with stubs of commands, which record how they are called. Then runs the recorded commands in
// this process. It also checks the steps of GitHub workflows.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { OPTIONS } from '#cli/options.ts';
import type { SettingGroup } from '#cli/setting.ts';
import { runWarm } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the absolute path of a file in the project, such as an example. */
export const pathOf = (file: string): string => join(ROOT, file);
export const read = (file: string): string => readFileSync(pathOf(file), 'utf8');

/** The files of the project that the image and the package need. */
export const SENT_FILES = read('examples/Dockerfile.dockerignore').match(/(?<=^!).*/gm) ?? [];

/** Copies these files, without installed packages. */
export function copyProject(to: string): void {
  for (const path of SENT_FILES)
    cpSync(pathOf(path), join(to, path), { recursive: true, filter: (from) => !from.endsWith('/node_modules') });
}

export interface Stubbing {
  readonly fails?: string;
  readonly status?: number;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Returns a function that runs a script with stubs of these commands, and returns the recorded calls. A stub only
 * records its arguments, and may fail.
 */
export function stubCommands(...names: string[]) {
  const bin = tempFolder();
  const log = join(bin, 'log');
  for (const name of names) {
    const call = `call="${name} $*"; echo "$call" >> "$STUB_LOG"; case "$call" in *"$STUB_FAILS"*) exit "$STUB_STATUS";; esac`;
    // The stub of sudo runs the command in its arguments, so that the call is recorded for that command.
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

/**
 * Runs a script like `sh -euc` with a stub of stxpress. Then runs the recorded stxpress commands without the VM and the
 * network.
 */
export async function runScript(script: string, env: Readonly<Record<string, string>>, cwd: string): Promise<void> {
  const { status, stderr, calls } = stubCommands('stxpress')(['-euc', script], { env, shell: 'sh' });
  expect([status, stderr]).toEqual([0, '']);
  for (const call of calls) {
    const offline = { STXPRESS_QUIET: '1', STXPRESS_NO_VM: '1', STXPRESS_OFFLINE: '1' };
    const ran = await runWarm(call.split(' ').slice(1), { cwd, env: { ...offline, ...env } });
    expect([call, ran]).toEqual([call, { status: 0, stdout: '', stderr: '' }]);
  }
}

/** Runs a Node program in a thread. `program` is the path of a file, or the program's text if `isText` is true. */
export async function runProgram(program: string, argv: readonly string[] = [], isText = false) {
  const worker = new Worker(program, { argv: [...argv], stdout: true, stderr: true, eval: isText });
  const [[status], stdout, stderr] = await Promise.all([
    once(worker, 'exit'),
    text(worker.stdout),
    text(worker.stderr),
  ]);
  return { status: status as number, stdout, stderr };
}

const CALL = /(?:stxpress\.mjs"?|npm run --silent|\bstxpress) (index|build|publish|follow|serve)\b([^\n|&;]*)/g;

/** Finds stxpress commands in a text. Returns each flag that its command does not support. */
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
  readonly run?: string;
}
export interface Job {
  readonly strategy?: { readonly matrix: { readonly part: readonly string[]; readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}

/**
 * Returns a function that finds a step by name. The scripts of all steps may contain no expressions, and only supported
 * flags.
 */
export function checkedSteps(steps: readonly Step[]): (name: string) => { readonly run: string } {
  for (const { run = '' } of steps) {
    expect(run).not.toContain('${{');
    expect(unsupportedFlags(run)).toEqual([]);
  }
  return (name) => steps.find((step) => step.name === name) as { run: string };
}

/** Writes the script of a step to a file. Returns the arguments that GitHub passes to the shell. */
export function asStep({ run }: { readonly run: string }): string[] {
  const file = join(tempFolder(), 'step.sh');
  writeFileSync(file, run);
  return ['--noprofile', '--norc', '-e', '-o', 'pipefail', file];
}
