// Starts a server in a child process, and waits until the server responds. The child process ends when this process
// ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../send.ts';
import { freePort } from './free-port.ts';
import type { RunningHost } from './running-host.ts';

/** Arguments of setpriv: the kernel ends the child process when this process ends, even if it crashes. */
const END_WITH_PARENT = ['--pdeathsig', 'TERM'];
/** The time that the child process has to end after SIGTERM. */
const GRACE_MS = 5_000;
/** The maximum time until the server responds. Some servers first fill a bucket, which takes long on a busy machine. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 25;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A line that the server prints when it is ready. If undefined, the server is ready when it responds. */
  readonly saysReady?: string;
}

/**
 * Starts the command that `prepare` returns. `prepare` receives the port and a temporary folder, which is removed when
 * the server stops.
 */
export async function startProcess(
  name: string,
  prepare: (target: { port: number; folder: string }) => Command,
): Promise<RunningHost> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `stxpress-${name}-`));
  const logFile = join(folder, 'log');
  let child: ChildProcess;
  let saysReady: string | undefined;
  try {
    const command = prepare({ port, folder });
    ({ saysReady } = command);
    child = spawnChild(command, folder, logFile);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(killing);
    rmSync(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const log = () => readFileSync(logFile, 'utf8');
  const failure = await waitUntilReady(origin, child, () => saysReady === undefined || log().includes(saysReady));
  if (failure === undefined) return { origin, stop };
  const error = new Error(`${name} ${failure}:\n${log()}`);
  await stop();
  throw error;
}

function spawnChild({ program, args, env = {} }: Command, folder: string, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    return spawn('setpriv', [...END_WITH_PARENT, program, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function waitUntilReady(
  origin: string,
  child: ChildProcess,
  isReady: () => boolean,
): Promise<string | undefined> {
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) return `ended with ${child.exitCode ?? child.signalCode}`;
    if (isReady() && (await responds(origin))) return undefined;
    await pause(POLL_MS);
  }
  return `did not respond within ${READY_WITHIN_MS / 1000} seconds`;
}

async function responds(origin: string): Promise<boolean> {
  try {
    await send(origin, { path: '/' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads a host's configuration, and replaces the text that matches the pattern, such as a port. Throws if nothing
 * matches.
 */
export function readReplaced(file: string, pattern: RegExp, replacement: string): string {
  const text = readFileSync(file, 'utf8');
  if (text.search(pattern) === -1) throw new Error(`${file} does not match ${pattern}`);
  return text.replace(pattern, replacement);
}
