import './scripts/bundle.mjs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const LONG = /\/(?:reliability|hostile|follow|publish|end-to-end|dump|compare)\/|replay-limits/;

/** Starts the slowest files first, so that no slow file runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long = [], short = [] } = Object.groupBy(await super.sort(files), ({ moduleId }) =>
      LONG.test(moduleId) ? 'long' : 'short',
    );
    return [...long, ...short];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The servers of the conformance suite are installed by `npm run conformance`.
    exclude: ['test/conformance/**'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: ['test/support/no-sync.ts'],
    // End-to-end tests start the real CLI, and the Clarity VM takes a second to wake up.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // For two cores, the smallest machine this must pass on: half of the tests wait for processes of their own.
    maxWorkers: 3,
    // Files share their processes, and what these have loaded: that saves a fifth of the time.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Optimising the Clarity VM takes longer than the few tokens of a test do.
    execArgv: ['--liftoff-only'],
  },
});
