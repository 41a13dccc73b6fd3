// Runs the real command with the preload library, which logs the command's operations and may kill all its processes at
// a chosen operation.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliResult, runCli } from '../../support/run-cli.ts';
import { type Operation, readOperations } from './operation-log.ts';

const LIBRARY_SOURCE = fileURLToPath(new URL('file-operations.cpp', import.meta.url));
const COUNTER_BYTES = 64;

/** The operation at which the run is killed: the n-th of the run, or the n-th with this kind and path. */
export interface KillPoint {
  readonly at: number;
  readonly kind?: string;
  /** The path, relative to the folder of the run. */
  readonly path?: string;
  /** True if the killed write first writes half of its bytes. */
  readonly half: boolean;
}

interface WatchedRun extends CliResult {
  readonly killed: boolean;
  readonly operations: readonly Operation[];
}

interface RunOptions {
  /** The working folder of the command. The library logs the operations in it. */
  readonly cwd: string;
  readonly kill?: KillPoint | undefined;
  /** True to log the bytes of writes too. */
  readonly withData?: boolean;
}

/** Returns the reason why this machine cannot run commands with the preload library; undefined if it can. */
export function reasonForNoWatchedRuns(): string | undefined {
  if (process.platform !== 'linux') return 'the preload library is for Linux';
  return spawnSync('g++', ['--version']).status === 0
    ? undefined
    : 'g++ is missing, which compiles the preload library';
}

/** Compiles the preload library into a folder. Returns its path. */
export function compileLibrary(folder: string): string {
  const library = join(folder, 'file-operations.so');
  const compiled = spawnSync('g++', ['-O1', '-shared', '-fPIC', '-o', library, LIBRARY_SOURCE], { encoding: 'utf8' });
  if (compiled.status !== 0) throw new Error(`g++ cannot compile the preload library: ${compiled.stderr}`);
  return library;
}

/** Runs the command without the preload library, in a separate process group. */
export function runPlain(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  return runCli(args, { cwd, env, detached: true });
}

export async function runWatched(library: string, args: readonly string[], options: RunOptions): Promise<WatchedRun> {
  const cwd = realpathSync(options.cwd);
  const scratch = mkdtempSync(join(tmpdir(), 'stxpress-operations-'));
  const [counter, log] = [join(scratch, 'counter'), join(scratch, 'log')];
  writeFileSync(counter, Buffer.alloc(COUNTER_BYTES));
  const { kill } = options;
  const env: Record<string, string> = {
    LD_PRELOAD: library,
    OPERATIONS_FOLDER: cwd,
    OPERATIONS_COUNTER: counter,
    OPERATIONS_LOG: log,
    ...(options.withData ? { OPERATIONS_DATA: '1' } : {}),
    ...(kill && { OPERATIONS_KILL_AT: String(kill.at) }),
    ...(kill?.kind && { OPERATIONS_KILL_KIND: kill.kind }),
    ...(kill?.path !== undefined && { OPERATIONS_KILL_PATH: join(cwd, kill.path) }),
    ...(kill?.half && { OPERATIONS_KILL_HALF: '1' }),
  };
  try {
    const end = await runPlain(args, cwd, env);
    const operations = readOperations(log, cwd);
    return { ...end, operations, killed: operations.at(-1)?.killed === true };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
