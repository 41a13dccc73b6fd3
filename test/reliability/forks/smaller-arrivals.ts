// Makes smaller versions of arrivals, to find the smallest arrivals that fail.
import type { Arrivals, ForkBlock } from './arrivals.ts';

/**
 * Yields copies of the arrivals, each with one simplification: without a batch, a block or a block's content, or with
 * two batches joined.
 */
export function* smallerArrivals(arrivals: Arrivals): Generator<Arrivals> {
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
      const without = (other: ForkBlock) => (other.name === block.name ? bare : other);
      if (carried !== undefined) yield arrivals.map((batch) => batch.map(without));
    }
  }
}
