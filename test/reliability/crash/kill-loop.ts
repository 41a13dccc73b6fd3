// Runs a command that is killed at random moments, again and again, and then to its end: for archives that are too big
// to name every operation.
import { once } from 'node:events';
import { Random } from '../../support/random.ts';
import { type CliResult, endOf } from '../../support/run-cli.ts';
import { runPlain, spawnGroup } from './watched-run.ts';

export interface KillLoop {
  /** The command and its flags, as `['index', '--archive', path, '--no-fetch']`. */
  readonly args: readonly string[];
  /** The folder that it runs in. */
  readonly cwd: string;
  readonly kills: number;
  /** Between these many milliseconds, each run is killed. */
  readonly afterMs: readonly [least: number, most: number];
  readonly seed: number;
}

/** How the last run ended, and how many of those before were killed: the others had ended by themselves. */
export interface KillLoopEnd extends CliResult {
  readonly killed: number;
}

/** Kills all processes of each run, then lets one run end. A run that fails without being killed is thrown. */
export async function killAtRandom(loop: KillLoop): Promise<KillLoopEnd> {
  const { args, cwd, kills, seed } = loop;
  const random = new Random(seed);
  let killed = 0;
  for (let number = 1; number <= kills; number++) {
    const child = spawnGroup(args, cwd);
    const ended = endOf(child);
    await once(child, 'spawn');
    let isKilled = false;
    const timer = setTimeout(
      () => {
        if (child.exitCode !== null) return;
        isKilled = true;
        process.kill(-(child.pid as number), 'SIGKILL');
      },
      random.within(...loop.afterMs),
    );
    const { status, stderr } = await ended;
    clearTimeout(timer);
    killed += Number(isKilled);
    if (!isKilled && status !== 0)
      throw new Error(`run ${number} of ${args[0]} ended with ${status}, CRASH_SEED=${seed}: ${stderr}`);
  }
  return { ...(await runPlain(args, cwd)), killed };
}
