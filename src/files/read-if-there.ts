// Reads a file that need not be there, or that must be as it was written.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Undefined where there is no such file. */
export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    return absent(error);
  }
}

/** Undefined for a file that has another SHA-256 (hex), or cannot be read. */
export function readIntact(path: string, sha256: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    return hash('sha256', bytes, 'hex') === sha256 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** For `catch`: undefined where there was no such file or folder; throws any other error again. */
export function absent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
