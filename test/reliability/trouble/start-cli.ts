// Starts the real command so that trouble can happen to it: bound by permissions even as root, stopped in its tracks, and never for ever.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CliResult } from '../../support/run-cli.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/stxpress.mjs', import.meta.url));
/** Root passes by permissions, unless it goes without this. */
const WITHOUT_ROOTS_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
/** What a command prints on its way, if the machine is slow. */
const PROGRESS = /^[a-z ]+: [\d,]+(?: of [\d,]+)?, .*\n/gm;
/** Longer than any command here takes, on a machine that has much else to do. */
const HANGS_AFTER_MS = 40_000;

export interface StartOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Modules that are loaded before the command, in each of its threads. */
  readonly preload?: readonly string[];
  readonly boundByPermissions?: boolean;
}

const isRoot = process.getuid?.() === 0;
/** Root without the means to go without its rights is not. */
export const canBeBound =
  !isRoot || spawnSync(WITHOUT_ROOTS_RIGHTS[0] as string, [...WITHOUT_ROOTS_RIGHTS.slice(1), 'true']).status === 0;

export interface Started {
  readonly child: ChildProcess;
  /** How it ended; `status` is null if it was killed. */
  readonly ended: Promise<CliResult>;
}

export function startCli(args: readonly string[], options: StartOptions): Started {
  const { cwd, env = {}, preload = [], boundByPermissions = false } = options;
  const command = [
    ...(boundByPermissions && isRoot ? WITHOUT_ROOTS_RIGHTS : []),
    process.execPath,
    ...preload.flatMap((module) => ['--import', module]),
    ENTRY,
    ...args,
  ];
  const child = spawn(command[0] as string, command.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => {});
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      printed[name] += chunk.toString();
    });
  const hangs = setTimeout(() => child.kill('SIGKILL'), HANGS_AFTER_MS);
  const ended = once(child, 'close').then(([status]) => {
    clearTimeout(hangs);
    return { status: status as number | null, stdout: printed.stdout, stderr: printed.stderr.replace(PROGRESS, '') };
  });
  return { child, ended };
}

/** Runs the command to its end. */
export function runToEnd(args: readonly string[], options: StartOptions): Promise<CliResult> {
  const { child, ended } = startCli(args, options);
  child.stdin?.end();
  return ended;
}
