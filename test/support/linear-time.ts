// Checks that the processor time of work grows linearly with the size of the work.
import { expect } from 'vitest';

const MAX_RATIO = 6;
/** An allowance for the clock and the garbage collector. Quadratic work of 3 ms still exceeds it. */
const GRACE_MICROSECONDS = 20_000;

/** Checks that work of four times the size takes at most six times as long. `work` receives the size. */
export function expectLinear(work: (size: number) => void, size: number): void {
  // This first call compiles the code, so that compiling is not measured.
  costOf(() => work(size));
  expect(costOf(() => work(4 * size))).toBeLessThan(MAX_RATIO * costOf(() => work(size)) + GRACE_MICROSECONDS);
}

/** Returns the shortest processor time of three calls, in microseconds. */
function costOf(work: () => void): number {
  const costs = [1, 2, 3].map(() => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...costs);
}
