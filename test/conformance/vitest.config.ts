import '../../scripts/bundle.mjs';
import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  test: {
    include: ['test/conformance/**/*.test.ts'],
    // Servers are started and a site is built before the first request.
    testTimeout: 240_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
  },
});
