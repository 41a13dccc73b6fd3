// Reads JSON from a column.

/** `what` completes "… is not as it was written". Throws what SQLite throws for a damaged page. */
export function readStoredJson<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw damagedRow(what, error);
  }
}

export function damagedRow(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`${what} is not as it was written`, { cause }), { code: 'SQLITE_CORRUPT' });
}
