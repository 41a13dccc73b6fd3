// Checks that the processor time of work grows linearly with the size of the work.
import { expect } from 'vitest';

/** The maximum growth for four times the size. Linear work takes four times as long, and quadratic work 16 times. */
const MAX_RATIO = 6;
/** An allowance for the clock and the garbage collector. Quadratic work of 3 ms still exceeds it. */
const GRACE_MS = 20;
/** A busy machine may disturb one measurement. Quadratic work exceeds the maximum in each. */
const ATTEMPTS = 3;

type Work = (size: number) => unknown;

/**
 * Checks that work of four times the size takes at most `graceMs`, or at most six times as long. Awaits promises that
 * the work returns. `what` names the work in the message of a failure.
 */
export async function expectLinear(work: Work, size: number, what = '', graceMs = GRACE_MS): Promise<void> {
  // Most work ends here. This call also compiles the code, so that compiling is not measured below.
  if ((await costOf(work, 4 * size)) < graceMs) return;
  let growth = '';
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // The clock of a thread is coarse on some machines: the mean is never 0, and the least is without disturbances.
    const small = meanOf(await costsOf(work, size));
    const large = Math.min(...(await costsOf(work, 4 * size)));
    if (large < MAX_RATIO * small + graceMs) return;
    growth = `${what}: ${small} ms, then ${large} ms for four times the size`;
  }
  expect.fail(growth);
}

/** Returns the processor times of three calls, in milliseconds. */
async function costsOf(work: Work, size: number): Promise<number[]> {
  const costs: number[] = [];
  for (let call = 0; call < 3; call++) costs.push(await costOf(work, size));
  return costs;
}

function meanOf(costs: readonly number[]): number {
  return costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
}

/** Returns the processor time of this thread. Threads of the VM, which earlier tests started, do not count. */
async function costOf(work: Work, size: number): Promise<number> {
  const start = process.threadCpuUsage();
  await work(size);
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}
