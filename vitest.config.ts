import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // End-to-end tests start the real CLI, and the Clarity VM takes a second to wake up.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are the smallest machine this must pass on.
    maxWorkers: 2,
  },
});
