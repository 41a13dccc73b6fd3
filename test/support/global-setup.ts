// Creates a folder for the duration of the tests, in memory if there is space. It contains all temporary files, and
// files that are made once for several test files.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedFolder: string;
  }
}

/** The folder of files in memory. Writing a file there takes a tenth of the time of a disk. */
const MEMORY = '/dev/shm';
/** The required free space: ten times the space that concurrent tests use. In containers only 64 MB are common. */
const REQUIRED_BYTES = 4 * 1024 ** 3;

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(hasSpace(MEMORY) ? MEMORY : tmpdir(), 'stxpress-tests-'));
  provide('sharedFolder', folder);
  // The compile cache of Node is kept for later runs of the tests.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= REQUIRED_BYTES;
}
