// A folder for as long as the tests run, in memory where there is room: all temporary files go there, and what all
// files of tests need is made there once, by the first that needs it.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedFolder: string;
  }
}

/** A file that is written in memory costs a tenth of what it costs on a disk. */
const MEMORY = '/dev/shm';
/** Ten times what all tests that run at once have there; containers often have 64 MB. */
const ROOM_BYTES = 4 * 1024 ** 3;

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'stxpress-tests-'));
  provide('sharedFolder', folder);
  // What Node compiles outlives the tests, and serves the next ones.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}
