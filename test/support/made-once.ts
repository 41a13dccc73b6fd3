// Makes a file or a folder once for all processes of the tests: the first that asks makes it, the others wait.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';

const LOOK_EVERY_MS = 20;

/** Where it is. Nobody changes it: whoever needs to makes a copy. */
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
      // Where it failed, the next one tries, and says why.
      rmSync(part, { recursive: true, force: true });
      rmSync(lock, { recursive: true });
    }
  }
  return path;
}
