// Starts the real command so that trouble can happen to it: bound by permissions even as root, stopped in its tracks,
// and never for ever.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { type CliOptions, type CliResult, endOf, spawnCli } from '../../support/run-cli.ts';
import { runWarm } from '../../support/run-warm.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Root passes by permissions, unless it goes without this. */
const WITHOUT_ROOTS_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
/** What a command prints on its way, if the machine is slow. */
const PROGRESS = /^[a-z ]+: [\d,]+(?: of [\d,]+)?, .*\n/gm;
/** Longer than any command here takes, on a machine that has much else to do. */
const HANGS_AFTER_MS = 40_000;

export interface StartOptions extends Pick<CliOptions, 'cwd' | 'env' | 'preload'> {
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

export function startCli(args: readonly string[], { boundByPermissions = false, ...options }: StartOptions): Started {
  const startedBy = boundByPermissions && isRoot ? WITHOUT_ROOTS_RIGHTS : [];
  const child = spawnCli(args, { ...options, startedBy, killAfterMs: HANGS_AFTER_MS });
  return { child, ended: endOf(child).then(withoutProgress) };
}

/** Runs the command to its end. */
export function runToEnd(args: readonly string[], options: StartOptions): Promise<CliResult> {
  const { child, ended } = startCli(args, options);
  child.stdin?.end();
  return ended;
}

/** Runs the command to its end in the process of the tests. */
export async function runToEndWarm(args: readonly string[], { cwd }: Pick<StartOptions, 'cwd'>): Promise<CliResult> {
  return withoutProgress(await runWarm(args, { cwd }));
}

/** A folder for the test that is running, with what is in another one. */
export function copyOf(folder: string): string {
  const cwd = tempFolder();
  cpSync(folder, cwd, { recursive: true });
  return cwd;
}

function withoutProgress(result: CliResult): CliResult {
  return { ...result, stderr: result.stderr.replace(PROGRESS, '') };
}
