// Starts a server as a process of its own and waits until it answers; the process never outlives this one.
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../send.ts';
import { freePort } from './free-port.ts';
import type { RunningHost } from './running-host.ts';

/** The kernel ends the process when whoever started it is gone, however it went. */
const KEPT = ['--pdeathsig', 'TERM'];
/** What it is given to end by itself. */
const GRACE_MS = 5_000;
/** A bucket is filled first, which a busy machine takes long for. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 25;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A line that it prints when it has all that it is to serve; without it, it is ready when it answers. */
  readonly saysReady?: string;
}

/** `prepare` gets where the server is to listen, and a folder for whatever it writes, which goes with it. */
export async function startProcess(
  name: string,
  prepare: (place: { port: number; folder: string }) => Command,
): Promise<RunningHost> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), `stxpress-${name}-`));
  const logFile = join(folder, 'log');
  let child: ChildProcess;
  let saysReady: string | undefined;
  try {
    const command = prepare({ port, folder });
    ({ saysReady } = command);
    child = spawnKept(command, folder, logFile);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await gone;
    clearTimeout(killing);
    rmSync(folder, { recursive: true, force: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const log = () => readFileSync(logFile, 'utf8');
  const trouble = await untilItResponds(origin, child, () => saysReady === undefined || log().includes(saysReady));
  if (trouble === undefined) return { origin, stop };
  const error = new Error(`${name} ${trouble}:\n${log()}`);
  await stop();
  throw error;
}

function spawnKept({ program, args, env = {} }: Command, folder: string, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    return spawn('setpriv', [...KEPT, program, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

async function untilItResponds(
  origin: string,
  child: ChildProcess,
  isReady: () => boolean,
): Promise<string | undefined> {
  const end = Date.now() + READY_WITHIN_MS;
  while (Date.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) return `ended with ${child.exitCode ?? child.signalCode}`;
    if (isReady() && (await answers(origin))) return undefined;
    await pause(POLL_MS);
  }
  return `did not answer within ${READY_WITHIN_MS / 1000} seconds`;
}

async function answers(origin: string): Promise<boolean> {
  try {
    await send(origin, { path: '/' });
    return true;
  } catch {
    return false;
  }
}

/** A host's configuration with the suite's own port in it: it is otherwise run as it was written. */
export function readReplaced(file: string, pattern: RegExp, replacement: string): string {
  const text = readFileSync(file, 'utf8');
  if (text.search(pattern) === -1) throw new Error(`${file} has no ${pattern}`);
  return text.replace(pattern, replacement);
}
