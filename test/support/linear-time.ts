// Checks that work takes processor time in proportion to its size, compared with a quarter of it in the same run.
import { expect } from 'vitest';

const MAX_RATIO = 6;
/** Ignores differences below the resolution of the clock. */
const GRACE_MICROSECONDS = 5_000;

/** Checks that work with four times the size takes at most six times as long. `work` receives the size. */
export function expectLinear(work: (size: number) => void, size: number): void {
  // Compiles the code first.
  costOf(() => work(size));
  expect(costOf(() => work(4 * size))).toBeLessThan(MAX_RATIO * costOf(() => work(size)) + GRACE_MICROSECONDS);
}

/** Returns the processor time in microseconds, the minimum of three runs. */
function costOf(work: () => void): number {
  const costs = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...costs);
}
