// Reads a file that need not be there.

import { readFileSync } from 'node:fs';

/** Undefined where there is no such file. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    return absent(error);
  }
}

/** For `catch`: undefined where there was no such file or folder; throws any other error again. */
export function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
