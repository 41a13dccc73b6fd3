// Counts the values of parsed JSON: each takes memory and time, also in the code that reads the JSON.

/** True if there are more values than `limit`, including objects, lists and the root. Does not recurse. */
export function hasMoreValuesThan(root: unknown, limit: number): boolean {
  const values = [root];
  for (let at = 0; at < values.length && values.length <= limit; at++) {
    const value = values[at];
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) values.push(item);
  }
  return values.length > limit;
}
