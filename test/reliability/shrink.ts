// Makes what fails as small as it gets, so that a human can read it.

/** Takes the first of the smaller ones that fails too, again and again, until there is none or the time is over. */
export async function shrink<T>(
  failing: T,
  smallerOnes: (larger: T) => Iterable<T>,
  fails: (smaller: T) => Promise<boolean>,
  end = Number.POSITIVE_INFINITY,
): Promise<T> {
  for (const smaller of smallerOnes(failing)) {
    if (performance.now() > end) break;
    if (await fails(smaller)) return shrink(smaller, smallerOnes, fails, end);
  }
  return failing;
}
