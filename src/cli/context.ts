// The context of a command: where to report and print, the variables that other programs share, and when to stop.
import type { ClosableReporter } from './terminal-reporter.ts';
import type { Environment, World } from './world.ts';

export interface Context {
  readonly reporter: ClosableReporter;
  /** Prints a result, on standard output; with `--log json` as an object, with these facts. */
  print(text: string, facts?: Readonly<Record<string, unknown>>): void;
  readonly env: Environment;
  /** Aborted at the first interrupt. */
  readonly signal: AbortSignal;
  readonly evaluator?: World['evaluator'];
}
