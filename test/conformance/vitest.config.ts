import '../../scripts/bundle.mjs';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Before the first test, the site is built and the servers start.
    testTimeout: 1_000_000,
    hookTimeout: 1_000_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
  },
});
