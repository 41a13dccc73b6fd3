// What every command gets: where to report, where to print, and when to stop.
import type { ClosableReporter } from './terminal-reporter.ts';

export interface Context {
  readonly reporter: ClosableReporter;
  /** Prints a result, on standard output. */
  print(text: string): void;
  /** Aborted at the first interrupt. */
  readonly signal: AbortSignal;
}
