// Measures a value that was read, in bytes that it could have come from.

/** Characters and bytes in it, and one for each number and the like. Without recursion: depth may be what is wrong. */
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
