import '../../scripts/bundle.mjs';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    // The first test waits for the build of the site and the start of the servers.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
