// Stores strings in the browser. If the browser denies access, nothing is stored.

type Storage = 'localStorage' | 'sessionStorage';

export function readStored(storage: Storage, key: string): string | undefined {
  try {
    return globalThis[storage].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Removes the key if the text is undefined. */
export function writeStored(storage: Storage, key: string, text: string | undefined): void {
  try {
    if (text === undefined) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // The browser denies access, or its storage is full.
  }
}
