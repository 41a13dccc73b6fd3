// Runs another command of the program as a process of its own, and says how it ended.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Step } from '#follow/follow-status.ts';
import type { Context } from './context.ts';

/** A publisher needs this long to give back its lock of the storage; a kill is safe. */
const STOP_MS = 1_000;

export async function runStep(command: string, args: readonly string[], { env, signal }: Context): Promise<Step> {
  const [at, start] = [new Date().toISOString(), performance.now()];
  const program = process.argv[1] as string;
  const child = spawn(process.execPath, [...process.execArgv, program, command, ...args], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const stopChild = () => endSoon(child);
  signal.addEventListener('abort', stopChild);
  const status = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  signal.removeEventListener('abort', stopChild);
  return { command, at, seconds: (performance.now() - start) / 1_000, status };
}

/** As an operator does: asks first. */
function endSoon(child: ChildProcess): void {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), STOP_MS).unref();
}
