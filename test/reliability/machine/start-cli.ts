// Starts the real command for tests of faults. The command obeys permissions even if root starts it, and is killed if
// it takes too long.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { type CliOptions, type CliResult, endOf, spawnCli } from '../../support/run-cli.ts';
import { runWarm } from '../../support/run-warm.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A program with flags that starts a command such that permissions apply to it, even if root starts it. */
const WITHOUT_ROOTS_RIGHTS = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
/** Matches the progress lines that a command prints only on a slow machine. */
const PROGRESS = /^[a-z ]+: [\d,]+(?: of [\d,]+)?, .*\n/gm;
/** The time after which a command is killed. It suffices for a busy machine. */
const HANGS_AFTER_MS = 40_000;

export interface StartOptions extends Pick<CliOptions, 'cwd' | 'env' | 'preload'> {
  readonly boundByPermissions?: boolean;
}

const isRoot = process.getuid?.() === 0;
/**
 * True if tests can start commands to which permissions apply. If the tests run as root, this needs the program
 * setpriv.
 */
export const canBeBound =
  !isRoot || spawnSync(WITHOUT_ROOTS_RIGHTS[0] as string, [...WITHOUT_ROOTS_RIGHTS.slice(1), 'true']).status === 0;

export interface Started {
  readonly child: ChildProcess;
  /** The result after the command has ended. `status` is null if the command was killed. */
  readonly ended: Promise<CliResult>;
}

export function startCli(args: readonly string[], { boundByPermissions = false, ...options }: StartOptions): Started {
  const startedBy = boundByPermissions && isRoot ? WITHOUT_ROOTS_RIGHTS : [];
  const child = spawnCli(args, { ...options, startedBy, killAfterMs: HANGS_AFTER_MS });
  return { child, ended: endOf(child).then(withoutProgress) };
}

/** Starts the command in a separate process, and waits for its end. */
export function runToEnd(args: readonly string[], options: StartOptions): Promise<CliResult> {
  const { child, ended } = startCli(args, options);
  child.stdin?.end();
  return ended;
}

/** Runs the command to its end in this process. */
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
