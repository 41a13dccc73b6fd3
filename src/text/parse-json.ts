// Parses untrusted JSON, and limits its depth and its number of values.

/** Returns the parsed value; undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True if objects or lists are nested more than `limit` deep. Does not recurse, since the depth is untrusted. */
export function isDeeperThan(root: unknown, limit: number): boolean {
  const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
  let level = isNested(root) ? [root] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (Object.values(item) as unknown[]).filter(isNested));
  }
  return false;
}

/** True if there are more values than `limit`, including objects, lists and the root. Does not recurse. */
export function hasMoreValuesThan(root: unknown, limit: number): boolean {
  const values = [root];
  for (let at = 0; at < values.length && values.length <= limit; at++) {
    const value = values[at];
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) values.push(item);
  }
  return values.length > limit;
}
