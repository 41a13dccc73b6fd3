// Makes a file or a folder once for all test processes. The first caller makes it, and the others wait.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

const LOOK_EVERY_MS = 20;

/** Returns the path. Tests must not change the file; a test that needs to change it makes a copy. */
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
      // After a failure the next caller tries again, and reports its error.
      rmSync(part, { recursive: true, force: true });
      rmSync(lock, { recursive: true });
    }
  }
  return path;
}
