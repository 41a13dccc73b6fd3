// Keeps texts in the browser, which may deny it: then there is none, and what is set is gone with the page.

export function readStored(storage: 'localStorage' | 'sessionStorage', key: string): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined forgets it. */
export function keep(storage: 'localStorage' | 'sessionStorage', key: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // Denied: nothing is kept.
  }
}
