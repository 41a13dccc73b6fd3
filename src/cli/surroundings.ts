// Defines the surroundings of the command line (environment, output, signal to stop), the context of a command, and the
// exit statuses.
import type { Evaluator } from '#vm/evaluator.ts';
import type { ClosableReporter } from './terminal-reporter.ts';

export interface Surroundings {
  readonly env: Environment;
  readonly stdout: Output;
  readonly stderr: Output & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** VM threads that several runs share; without them, each run starts threads. */
  readonly evaluator?: Evaluator | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Output {
  write(text: string): unknown;
}

export interface Context extends Pick<Surroundings, 'env' | 'signal' | 'evaluator'> {
  readonly reporter: ClosableReporter;
  /** Prints a result on standard output. */
  print(text: string): void;
}

export const EXIT_OK = 0;
/** The exit status for an error of the user, or a bug. */
export const EXIT_FAILED = 1;
/** The exit status if work remains that a later run may finish (EX_TEMPFAIL of sysexits.h). */
export const EXIT_TRY_AGAIN = 75;

/**
 * Returns the environment, output and stop signal of the process. Call this function once, since it adds listeners for
 * signals and broken streams.
 */
export function processSurroundings(): Surroundings {
  const { env, stdout, stderr } = process;
  stdout.on('error', endUnlessPipeIsClosed);
  // If the log is on a full disk, the run continues without the log. The exit status still tells the result.
  stderr.on('error', () => {});
  return { env, stdout, stderr, signal: abortOnInterrupt() };
}

/** Returns a signal that the first interrupt aborts. The second interrupt ends the process. */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    // Without listeners, the next signal ends the process. process.exit would wait for a pending read of a pipe.
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    controller.abort();
  };
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return controller.signal;
}

/** Ends the process if standard output fails, but not if its reader has closed the pipe, as `head` does. */
function endUnlessPipeIsClosed(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') return;
  process.stderr.write(`stxpress: The output cannot be written: ${error.message}.\n`);
  process.exit(EXIT_FAILED);
}
