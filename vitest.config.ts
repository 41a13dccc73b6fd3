import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The servers of the conformance suite are installed by `npm run conformance`.
    exclude: ['test/conformance/**'],
    // End-to-end tests start the real CLI, and the Clarity VM takes a second to wake up.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are the smallest machine this must pass on.
    maxWorkers: 2,
    // Optimising the Clarity VM takes longer than the few tokens of a test do.
    execArgv: ['--liftoff-only'],
  },
});
