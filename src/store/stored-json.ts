// Reads JSON that a table holds.

/** `what` completes "… is not as it was written". Throws, as SQLite does for a page that is damaged. */
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
