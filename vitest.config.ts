import './scripts/bundle.mjs';
import { defineConfig } from 'vitest/config';

/** Files whose names end with this run only in `npm run test:slow`, which sets the mode `slow`. */
const SLOW = 'test/**/*.slow.test.ts';

export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'slow' ? SLOW : 'test/**/*.test.ts'],
    // The packages and servers of the conformance suite are installed by `npm run conformance`.
    exclude: ['test/conformance/**', ...(mode === 'slow' ? [] : [SLOW])],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/no-sync.ts'],
    // End-to-end tests start the real CLI, and the Clarity VM takes a second to wake up.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // For two cores, the smallest machine this must pass on: half of the tests wait for processes of their own.
    maxWorkers: 3,
    // Files share their processes, and what these have loaded: that saves a fifth of the time.
    isolate: false,
    // Optimising the Clarity VM takes longer than the few tokens of a test do.
    execArgv: ['--liftoff-only'],
  },
}));
