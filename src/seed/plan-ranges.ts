// Divides the heights of a chain into ranges, each of which becomes one or more parts of a seed.

export interface Range {
  readonly first: number;
  readonly last: number;
  readonly isFinal: boolean;
}

/** The number of heights in a range of final blocks, and in a range above them. */
export interface RangeSizes {
  readonly final: number;
  readonly tail: number;
}

/** With these sizes, mainnet has about 90 ranges of final blocks, and at most 110 above them. */
export const RANGE_SIZES: RangeSizes = { final: 100_000, tail: 1_000 };

/**
 * Returns the ranges from the lowest block to the tip, in ascending order. Blocks up to `final` are final; -1 if none
 * are.
 */
export function planRanges(
  { lowest, tip, final }: { readonly lowest: number; readonly tip: number; readonly final: number },
  sizes: RangeSizes = RANGE_SIZES,
): Range[] {
  const ranges: Range[] = [];
  let first = Math.floor(lowest / sizes.final) * sizes.final;
  for (; first + sizes.final - 1 <= final; first += sizes.final)
    ranges.push({ first, last: first + sizes.final - 1, isFinal: true });
  for (first = Math.max(first, Math.floor(lowest / sizes.tail) * sizes.tail); first <= tip; first += sizes.tail)
    ranges.push({ first, last: Math.min(first + sizes.tail - 1, tip), isFinal: false });
  return ranges;
}
