// Makes a file or folder that all test processes share. The first caller makes it, and the other callers wait.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

const LOOK_EVERY_MS = 20;

/**
 * Returns the path of a shared file or folder. `make` makes it if it is missing. Tests must not change it, but may copy
 * it.
 */
export async function madeOnce(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(inject('sharedFolder'), name);
  const [part, lock] = [`${path}.part`, `${path}.lock`];
  while (!existsSync(path)) {
    if (mkdirSync(lock, { recursive: true }) === undefined) {
      await delay(LOOK_EVERY_MS);
      continue;
    }
    try {
      if (existsSync(path)) break;
      await make(part);
      renameSync(part, path);
    } finally {
      // After a failure, the next caller makes the file again, and then reports its own error.
      rmSync(part, { recursive: true, force: true });
      rmSync(lock, { recursive: true });
    }
  }
  return path;
}
