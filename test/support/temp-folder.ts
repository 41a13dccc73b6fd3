// Creates a temporary folder for a test or for the tests of a file, which is removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function folderUntil(whenOver: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-test-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Creates a folder for the current test. */
export const tempFolder = (): string => folderUntil(onTestFinished);

/** Creates a folder for all tests of a file. Must be called outside a test. */
export const tempFolderForFile = (): string => folderUntil(afterAll);
