// Opens and reads regular files. A named pipe or a device could block the process, or have no end.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { devNull } from 'node:os';

/** With O_NONBLOCK, opening a named pipe does not wait for a writer. Windows lacks this flag. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** The default maximum size of a file that is read at once. */
const MAX_BYTES = 2 ** 31 - 1;
/** The maximum size of a file that a person writes, such as a configuration. */
export const MAX_WRITTEN_BYTES = 1_000_000;

/** An error for a path that is not a regular file, or is too large. Its message has the problem and the remedy. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/**
 * Opens a regular file for reading, and returns its descriptor and its size. The null device counts as an empty file.
 * Throws {@link UnreadableError}.
 */
export function openRegular(path: string): { readonly descriptor: number; readonly size: number } {
  const stats = statSync(path);
  if (!stats.isFile() && path !== devNull)
    throw new UnreadableError(`${path} is a ${kindOf(stats)}. Replace it by a regular file, or name another.`);
  const descriptor = openSync(path, READ_FLAGS);
  return { descriptor, size: fstatSync(descriptor).size };
}

/** Reads a regular file of at most `maxBytes`. Throws {@link UnreadableError}. */
export function readRegular(path: string, maxBytes = MAX_BYTES): Buffer {
  const { descriptor, size } = openRegular(path);
  try {
    if (size > maxBytes)
      throw new UnreadableError(
        `${path} has ${size} bytes, more than the ${maxBytes} that are read. Name another file.`,
      );
    const bytes = Buffer.allocUnsafeSlow(size);
    let end = 0;
    for (let read = -1; end < size && read !== 0; end += read)
      read = readSync(descriptor, bytes, end, size - end, null);
    return bytes.subarray(0, end);
  } finally {
    closeSync(descriptor);
  }
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'folder';
  if (stats.isFIFO()) return 'named pipe';
  return stats.isSocket() ? 'socket' : 'device';
}
