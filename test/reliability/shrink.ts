// Replaces a failing input by smaller inputs that also fail, so that a person can read it.

/**
 * Repeatedly replaces the input by the first smaller input that also fails. Ends when all smaller inputs pass, or at
 * the time `end`.
 */
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
