// Gives the tests of a file a folder in memory, where waiting for a disk costs nothing; CRASH_FOLDER names another
// place for it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const SHARED_MEMORY = '/dev/shm';

/** To be called outside a test; the folder goes when the tests of the file are over. */
export function memoryFolder(): string {
  const place = process.env.CRASH_FOLDER ?? (existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());
  const folder = mkdtempSync(join(place, 'stxpress-crash-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
