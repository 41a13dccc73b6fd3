// Measures the size of a value, so that tests can compare it with the length of its input.

/**
 * Sums the characters of texts, the bytes of buffers, and 1 for every other value. Avoids recursion, since values may
 * be nested deeply.
 */
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
