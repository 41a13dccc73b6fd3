// Runs the real stxpress command: in a separate process, or warm in the process of the test. Scripts import this module
// too, so it loads vitest and the command only when they are needed.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spoolFiles } from '#follow/spool.ts';

export const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));
/** A program with flags that starts a command such that permissions apply to it, even if root starts it. */
const WITHOUT_ROOTS_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
const isRoot = process.getuid?.() === 0;
/** Matches the progress lines that a command prints only on a slow machine. Results do not have them. */
const PROGRESS = /^[a-z ]+: [\d,]+(?: of [\d,]+)?, .*\n/gm;

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program, by default that of this clone. */
  readonly entry?: string;
  /** True if permissions apply to the command, even if root starts it. */
  readonly boundByPermissions?: boolean;
  /** Modules that every thread of the command loads first. */
  readonly preload?: readonly string[];
  /** A program with flags that starts the stxpress command, such as setpriv. */
  readonly startedBy?: readonly string[];
  /** True to start the command in a new process group. */
  readonly detached?: boolean;
  /** The time in milliseconds after which the command is killed. */
  readonly killAfterMs?: number;
  /** The data that the command receives on standard input. */
  readonly input?: Buffer | string;
}

/**
 * Returns true if tests can start commands to which permissions apply. If the tests run as root, this needs the program
 * setpriv.
 */
export function canBeBound(): boolean {
  const [program = '', ...flags] = WITHOUT_ROOTS_RIGHTS;
  return !isRoot || spawnSync(program, [...flags, 'true']).status === 0;
}

/** Starts the command. The caller must end the process or wait for its end. */
export function spawnCli(args: readonly string[], options: CliOptions): ChildProcess {
  const { cwd, env = {}, entry = ENTRY, boundByPermissions = false, preload = [], detached = false } = options;
  const { startedBy = boundByPermissions && isRoot ? WITHOUT_ROOTS_RIGHTS : [], killAfterMs: timeout } = options;
  const modules = preload.flatMap((module) => ['--import', module]);
  const [command, ...flags] = [...startedBy, process.execPath, ...modules, entry, ...args] as [string, ...string[]];
  const child = spawn(command, flags, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached,
    timeout,
    killSignal: 'SIGKILL',
  });
  child.stdin.on('error', () => {}); // a command may close its input early
  return child;
}

/** Runs the command, and waits until it has ended. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = spawnCli(args, options);
  child.stdin?.end(options.input ?? '');
  return endOf(child);
}

/** Waits until a process has ended. `status` in the result is null if the process was killed. */
export async function endOf(child: ChildProcess): Promise<CliResult> {
  const printed = [child.stdout, child.stderr].map((stream) => (stream === null ? '' : text(stream)));
  const [[status], stdout = '', stderr = ''] = await Promise.all([once(child, 'close'), ...printed]);
  return { status, stdout, stderr: stderr.replace(PROGRESS, '') };
}

/** Waits until the output of a process matches a pattern. Returns the output so far. The process continues. */
export function untilPrinted(stream: NodeJS.ReadableStream | null, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (pattern.test(printed)) resolve(printed);
    });
    stream?.once('end', () => reject(new Error(`the process ended without printing ${pattern}: ${printed}`)));
  });
}

/** Waits until a command in this folder holds the lock of the default index file. */
export async function untilIndexing(cwd: string): Promise<void> {
  while (!existsSync(join(cwd, 'data/index.sqlite.lock.holder'))) await delay(20);
}

export interface Started {
  readonly child: ChildProcess;
  /** The result after the command has ended. `status` is null if the command was killed. */
  readonly ended: Promise<CliResult>;
}

/** Starts the command, and reads its output until it ends. */
export function startCli(args: readonly string[], options: CliOptions): Started {
  const child = spawnCli(args, options);
  return { child, ended: endOf(child) };
}

interface WarmOptions extends Pick<CliOptions, 'cwd' | 'env'> {
  /** Aborts the command. */
  readonly signal?: AbortSignal | undefined;
  /** Called whenever the command prints. Receives all text on standard output so far. */
  readonly onPrint?: (stdout: string) => void;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command like {@link runCli}, but in this process, after the previous one and without standard input. Starting a
 * process would take longer than most commands.
 */
export function runWarm(args: readonly string[], options: WarmOptions): Promise<CliResult> {
  const result = last.then(() => runNow(args, options));
  last = result.catch(() => {});
  return result;
}

async function runNow(
  args: readonly string[],
  { cwd, env = {}, signal = new AbortController().signal, onPrint = () => {} }: WarmOptions,
): Promise<CliResult> {
  const { main } = await import('#cli/main.ts');
  const { SHARED_EVALUATOR: evaluator } = await import('./index-options.ts');
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
    const status = await main(args, world);
    return { status, stdout: printed.stdout, stderr: printed.stderr.replace(PROGRESS, '') };
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
  assert.deepEqual([status, status === 0 ? '' : stderr], [0, '']);
  return stdout;
}

/** Checks that a command failed with this exit status and this message. */
export function expectRefused({ status, stderr }: CliResult, message: string | RegExp, exitStatus = 1): void {
  assert.equal(status, exitStatus, stderr);
  assert.match(stderr, typeof message === 'string' ? new RegExp(RegExp.escape(message)) : message);
}

export type Followed = Awaited<ReturnType<typeof startFollow>>;

/**
 * Starts `stxpress follow`, and waits until it listens. Returns its output so far in `printed`. The follower and its
 * commands are in a new process group.
 */
export async function startFollow(cwd: string, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const args = ['follow', '--listen', '127.0.0.1:0', '--every', '1s', '--spool-file-bytes', '60000', ...flags];
  const child = spawnCli(args, { cwd, env: { STXPRESS_OFFLINE: '1', ...env }, detached: true });
  (await import('vitest')).onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL');
  });
  let printed = '';
  child.stderr?.on('data', (chunk) => {
    printed += chunk;
  });
  for await (const chunk of child.stdout ?? []) {
    printed += chunk;
    const [, address] = /Listening at (\S+) for/.exec(printed) ?? [];
    if (address !== undefined && printed.endsWith('300_000\n')) return { child, url: `http://${address}`, printed };
  }
  throw new Error(`the follower does not listen: ${printed}`);
}

/** The headers that a node sends with its payloads. */
export const NODE_HEADERS = { 'Content-Type': 'application/json' };

export interface Payload {
  readonly path: string;
  readonly body: string;
}

/** Posts a payload as a node does. Returns true if the status is 200. */
export async function post(url: string, payload: Payload): Promise<boolean> {
  return (await statusOfPost(url, payload)) === 200;
}

/** Posts a payload and returns the status; undefined if no response arrives. */
export async function statusOfPost(url: string, { path, body }: Payload): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(`${url}${path}`, { method: 'POST', headers: NODE_HEADERS, body, signal })).status;
  } catch {
    return undefined;
  }
}

/** Returns the lines of the archive in a follower's folder. */
export const spooledLines = (folder: string) =>
  spoolFiles(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1));
