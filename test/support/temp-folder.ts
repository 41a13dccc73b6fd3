// Makes temporary folders that are removed after a test, or after all tests of a file.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function folderUntil(whenOver: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-test-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a folder for the current test, which is removed after the test. */
export const tempFolder = (): string => folderUntil(onTestFinished);

/** Makes a folder for all tests of a file, which is removed after them. Call it outside a test. */
export const tempFolderForFile = (): string => folderUntil(afterAll);

/** Copies a folder into a new folder for the current test. */
export function copyOf(folder: string): string {
  const cwd = tempFolder();
  cpSync(folder, cwd, { recursive: true });
  return cwd;
}
