// Reads a file that may be missing, or whose hash must match.

import { hash } from 'node:crypto';
import { readRegular } from './open-regular.ts';

/** Reads a regular file of at most `maxBytes`. Returns undefined if it is missing. Throws UnreadableError. */
export function readIfExists(path: string, maxBytes?: number): Buffer | undefined {
  try {
    return readRegular(path, maxBytes);
  } catch (error) {
    return ignoreMissing(error);
  }
}

/** Reads a file. Returns undefined if it cannot be read, or if its SHA-256 (hex) differs. */
export function readIntact(path: string, sha256: string): Buffer | undefined {
  try {
    const bytes = readRegular(path);
    return hash('sha256', bytes, 'hex') === sha256 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns undefined if the error reports a missing file or folder. Throws any other error again. For use in `catch`.
 */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
