// Runs the real stxpress command in a separate process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ENTRY = fileURLToPath(new URL('../../bin/stxpress.mjs', import.meta.url));

export interface CliResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
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

/** Starts the command. The caller must end the process or wait for its end. */
export function spawnCli(args: readonly string[], options: CliOptions): ChildProcess {
  const { cwd, env = {}, preload = [], startedBy = [], detached = false, killAfterMs: timeout } = options;
  const modules = preload.flatMap((module) => ['--import', module]);
  const [command, ...flags] = [...startedBy, process.execPath, ...modules, ENTRY, ...args] as [string, ...string[]];
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
  return { status, stdout, stderr };
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
