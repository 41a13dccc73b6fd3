// How deep parsed JSON is nested: rendering it recurses, so what strangers send has a limit.

/** Whether more than `limit` objects or lists are inside each other. Without recursion: the depth is in doubt. */
export function isDeeperThan(root: unknown, limit: number): boolean {
  const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;
  let level = isNested(root) ? [root] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (Object.values(item) as unknown[]).filter(isNested));
  }
  return false;
}
