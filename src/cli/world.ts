// The world of a run: its environment, where it prints, and when to stop, by default that of the process; what of it a
// command gets, and with which status it ends.
import type { Evaluator } from '#vm/evaluator.ts';
import type { ClosableReporter } from './terminal-reporter.ts';

export interface World {
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborted at the first interrupt. */
  readonly signal: AbortSignal;
  /** Threads of the VM that several runs use; without them, each run has its own. */
  readonly evaluator?: Evaluator | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Output {
  write(text: string): unknown;
}

export interface Context extends Pick<World, 'env' | 'signal' | 'evaluator'> {
  readonly reporter: ClosableReporter;
  /** Prints a result, on standard output; with `--log json` as an object, with these facts. */
  print(text: string, facts?: Readonly<Record<string, unknown>>): void;
}

export const EXIT_OK = 0;
/** The user's error, or a bug. */
export const EXIT_FAILED = 1;
/** Try again: work is left that this run was allowed to do (EX_TEMPFAIL of sysexits.h). */
export const EXIT_TRY_AGAIN = 75;

/** Call it once: it listens for signals, and for streams that break. */
export function processWorld(): World {
  const { env, stdout, stderr } = process;
  stdout.on('error', endUnlessPipeIsClosed);
  // A log on a full disk lacks lines; the work goes on, and says at its end how it went.
  stderr.on('error', () => {});
  return { env, stdout, stderr, signal: abortOnInterrupt() };
}

/** The first interrupt lets what is in flight finish, the second one ends the process. */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    // Without listeners, the next signal ends the process; process.exit would wait for a read of a pipe to end.
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

/** A reader that has seen enough (`| head`) is no error; a full disk is. */
function endUnlessPipeIsClosed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`stxpress: The output cannot be written: ${error.message}.\n`);
  process.exit(EXIT_FAILED);
}
