// Checks the nesting of parsed JSON: rendering recurses, so the depth of untrusted input is limited.

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
