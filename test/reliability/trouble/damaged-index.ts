// Runs commands on copies of an index that are damaged by seeds, in a process of their own, so that one that hangs or
// crashes ends no test.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Damage } from './damage.ts';

const PROGRAM = fileURLToPath(new URL('./damaged-runs.ts', import.meta.url));
/** Longer than the commands of one seed take, on a machine that has much else to do. */
const HANGS_AFTER_MS = 40_000;

export interface RunOnDamage {
  readonly command: string;
  readonly status: number;
  readonly stderr: string;
  /** Whether the output folder has what an index that is whole gives. */
  readonly isRight: boolean;
}

export interface DamagedRun {
  readonly seed: number;
  readonly damage: readonly Damage[];
  readonly runs: readonly RunOnDamage[];
}

/** Throws where a command hangs, or takes the process with it. */
export async function* runOnDamage(world: string, first: number, last: number): AsyncGenerator<DamagedRun> {
  const child = spawn(process.execPath, [PROGRAM, world, String(first), String(last)], {
    cwd: world,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let done = first - 1;
  let hangs: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(hangs);
    hangs = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  };
  watch();
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      watch();
      const result = JSON.parse(line) as DamagedRun;
      done = result.seed;
      yield result;
    }
    if (done < last) throw new Error(`the commands did not end with seed ${done + 1}`);
  } finally {
    clearTimeout(hangs);
    child.kill('SIGKILL');
  }
}

/** What is wrong with how a command ended; undefined if it ended well, or says what is to be done. */
export function complaintAbout({ status, stderr }: RunOnDamage): string | undefined {
  if (status === 0) return undefined;
  if (stderr.includes('this is a bug') || /^\s+at .*\(/m.test(stderr)) return 'a stack trace';
  const message = stderr.slice(Math.max(0, stderr.lastIndexOf('stxpress: ')));
  if (!message.includes('index.sqlite')) return 'no file is named';
  if (status !== 1) return `exit status ${status}`;
  // What does not begin as an index, or names what no version wrote, is taken for a file of somebody else; what has
  // lost its chain with its log, for another index.
  return /--rebuild|of another program|by a newer stxpress|--replace/.test(message)
    ? undefined
    : '--rebuild is not named';
}
