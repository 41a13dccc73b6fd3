// Counts checks and prints those that failed.
export interface Checks {
  check(what: string, good: boolean, detail?: string): void;
  /** `N passed, N failed` so far. */
  summary(): string;
  /** Prints the counts; sets the exit status. */
  finish(): void;
}

export function countChecks(): Checks {
  let passed = 0;
  let failed = 0;
  const summary = () => `${passed} passed, ${failed} failed`;
  return {
    check(what, good, detail = '') {
      if (good) passed++;
      else failed++;
      if (!good) console.error(`FAILED ${what}${detail === '' ? '' : `: ${detail}`}`);
    },
    summary,
    finish() {
      console.log(summary());
      process.exitCode = failed === 0 ? 0 : 1;
    },
  };
}
