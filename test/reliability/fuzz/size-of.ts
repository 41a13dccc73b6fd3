// Measures the size of a value for comparison with the length of its input.

/** Counts characters and bytes, and one for each number and similar. Avoids recursion, because values may be deep. */
export function sizeOf(root: unknown): number {
  let size = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') size += value.length;
    else if (value instanceof Uint8Array) size += value.length;
    else if (typeof value !== 'object' || value === null) size += 1;
    else if (value instanceof Map) for (const entry of value) open.push(...entry);
    else if (Array.isArray(value)) for (const item of value) open.push(item);
    else for (const entry of Object.entries(value)) open.push(...entry);
  }
  return size;
}
