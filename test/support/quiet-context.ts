// The context of a command in a test: it says nothing, and nothing stops it.
import type { Context } from '#cli/world.ts';
import { silentReporter } from './silent-reporter.ts';

export const QUIET_CONTEXT: Context = {
  reporter: { ...silentReporter, clear: () => {} },
  print: () => {},
  env: {},
  signal: new AbortController().signal,
};
