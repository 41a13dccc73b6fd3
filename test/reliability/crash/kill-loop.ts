// Runs a command that is killed at random moments, again and again, and then to its end: for archives that are too big to name every operation.
import { once } from 'node:events';
import { diceOf } from '../forks/dice.ts';
import { endOf, runPlain, spawnGroup } from './watched-run.ts';

export interface KillLoop {
  /** The command and its flags, as `['index', '--archive', path, '--no-fetch']`. */
  readonly args: readonly string[];
  /** The folder that it runs in. */
  readonly cwd: string;
  readonly kills: number;
  /** Between these many milliseconds, each run is killed. */
  readonly afterMs: readonly [least: number, most: number];
  readonly seed: number;
  /** Told of each run: when it was killed, or that it had ended before. */
  readonly onRun?: (run: KilledRun) => void;
}

export interface KilledRun {
  readonly number: number;
  readonly afterMs: number;
  readonly killed: boolean;
  /** Of one that ended by itself. */
  readonly status: number | null;
  readonly output: string;
}

/** Kills all processes of each run, then lets one run end; its status and output. A run that fails without being killed is thrown. */
export async function killAtRandom(
  loop: KillLoop,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const { args, cwd, kills, seed } = loop;
  const dice = diceOf(seed);
  for (let number = 1; number <= kills; number++) {
    const afterMs = dice.within(...loop.afterMs);
    const child = spawnGroup(args, cwd, {});
    const ended = endOf(child);
    await once(child, 'spawn');
    let killed = false;
    const timer = setTimeout(() => {
      if (child.exitCode !== null) return;
      killed = true;
      process.kill(-(child.pid as number), 'SIGKILL');
    }, afterMs);
    const { status, output } = await ended;
    clearTimeout(timer);
    loop.onRun?.({ number, afterMs, killed, status, output });
    if (!killed && status !== 0)
      throw new Error(`run ${number} of ${args[0]} ended with ${status}, CRASH_SEED=${seed}: ${output}`);
  }
  return runPlain(args, cwd);
}
