// Reduces a failing input as far as possible, so that a person can read it.

/** Replaces the input by the first smaller input that also fails, until all smaller inputs pass or the time is over. */
export async function shrink<T>(
  failing: T,
  smallerInputs: (larger: T) => Iterable<T>,
  fails: (smaller: T) => Promise<boolean>,
  end = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (const smaller of smallerInputs(failing)) {
    if (performance.now() > end) break;
    if (await fails(smaller)) return shrink(smaller, smallerInputs, fails, end);
  }
  return failing;
}
