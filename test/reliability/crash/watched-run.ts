// Runs the real command with the preload library, which logs the operations of the command.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliResult, runCli } from '../../support/run-cli.ts';
import { type Operation, readOperations } from './operation-log.ts';

const LIBRARY_SOURCE = fileURLToPath(new URL('file-operations.cpp', import.meta.url));
const COUNTER_BYTES = 64;

interface WatchedRun extends CliResult {
  readonly operations: readonly Operation[];
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

/** Runs the command in a folder, and logs the operations in this folder. */
export async function runWatched(library: string, args: readonly string[], folder: string): Promise<WatchedRun> {
  const cwd = realpathSync(folder);
  const scratch = mkdtempSync(join(tmpdir(), 'stxpress-operations-'));
  const [counter, log] = [join(scratch, 'counter'), join(scratch, 'log')];
  writeFileSync(counter, Buffer.alloc(COUNTER_BYTES));
  const env = {
    LD_PRELOAD: library,
    OPERATIONS_FOLDER: cwd,
    OPERATIONS_COUNTER: counter,
    OPERATIONS_LOG: log,
  };
  try {
    return { ...(await runCli(args, { cwd, env })), operations: readOperations(log, cwd) };
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
