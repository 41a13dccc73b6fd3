// Starts the real command for tests of faults: bound by permissions even as root, stoppable, and with a time limit.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { type CliOptions, type CliResult, endOf, spawnCli } from '../../support/run-cli.ts';
import { runWarm } from '../../support/run-warm.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Starts a command without the capability of root to ignore permissions. */
const WITHOUT_ROOTS_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
/** Progress that a command prints on a slow machine. */
const PROGRESS = /^[a-z ]+: [\d,]+(?: of [\d,]+)?, .*\n/gm;
/** Time limit of a command, long enough for a busy machine. */
const HANGS_AFTER_MS = 40_000;

export interface StartOptions extends Pick<CliOptions, 'cwd' | 'env' | 'preload'> {
  readonly boundByPermissions?: boolean;
}

const isRoot = process.getuid?.() === 0;
/** True if commands can be bound by permissions. Root needs setpriv for that. */
export const canBeBound =
  !isRoot || spawnSync(WITHOUT_ROOTS_RIGHTS[0] as string, [...WITHOUT_ROOTS_RIGHTS.slice(1), 'true']).status === 0;

export interface Started {
  readonly child: ChildProcess;
  /** The result; `status` is null if the command was killed. */
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

/** Copies a folder into a new folder for the current test. */
export function copyOf(folder: string): string {
  const cwd = tempFolder();
  cpSync(folder, cwd, { recursive: true });
  return cwd;
}

function withoutProgress(result: CliResult): CliResult {
  return { ...result, stderr: result.stderr.replace(PROGRESS, '') };
}
