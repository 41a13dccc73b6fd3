// Makes arrivals that fail as small as they get, so that a human can read them.
import type { Arrivals, ForkBlock } from './arrivals.ts';

/** Takes away what can go, greedily, as long as what is left fails. */
export async function shrink(arrivals: Arrivals, fails: (smaller: Arrivals) => Promise<boolean>): Promise<Arrivals> {
  let smallest = arrivals;
  for (let shrank = true; shrank; ) {
    shrank = false;
    for (const smaller of smallerOnes(smallest)) {
      if (!(await fails(smaller))) continue;
      smallest = smaller;
      shrank = true;
      break;
    }
  }
  return smallest;
}

/** Arrivals with one thing less, what takes away most first. */
function* smallerOnes(arrivals: Arrivals): Generator<Arrivals> {
  for (const [at] of arrivals.entries()) yield arrivals.toSpliced(at, 1);
  for (const [at, batch] of arrivals.entries()) {
    for (const [index] of batch.entries()) if (batch.length > 1) yield arrivals.with(at, batch.toSpliced(index, 1));
  }
  for (const [at, batch] of arrivals.entries()) {
    const next = arrivals[at + 1];
    if (next !== undefined) yield arrivals.toSpliced(at, 2, [...batch, ...next]);
  }
  for (const block of new Set(arrivals.flat())) {
    for (const key of ['deploy', 'minted', 'notice', 'isLate'] as const) {
      const { [key]: carried, ...bare } = block;
      const without = (one: ForkBlock) => (one.name === block.name ? bare : one);
      if (carried !== undefined) yield arrivals.map((batch) => batch.map(without));
    }
  }
}
