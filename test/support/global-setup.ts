// Makes a folder for all temporary files of the tests, and for files that are made once for several test files. The
// folder is in memory if there is space, and is removed after the tests.
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedFolder: string;
  }
}

/** A folder whose files are in memory. Writing a file takes a tenth of the time that a disk needs. */
const MEMORY = '/dev/shm';
/**
 * The free space that the memory folder must have, ten times the space that concurrent tests use. Containers often have
 * only 64 MB.
 */
const REQUIRED_BYTES = 4 * 1024 ** 3;

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(hasSpace(MEMORY) ? MEMORY : tmpdir(), 'stxpress-tests-'));
  provide('sharedFolder', folder);
  // Keeps the compile cache outside of the temporary folder, so that later test runs can use it.
  process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= REQUIRED_BYTES;
}
