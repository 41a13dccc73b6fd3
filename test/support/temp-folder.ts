// Gives a test, or the tests of a file, a folder of their own, which goes when they are over.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

function folderUntil(whenOver: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-test-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder for the test that is running. */
export const tempFolder = (): string => folderUntil(onTestFinished);

/** A folder for all tests of the file; to be called outside a test. */
export const tempFolderForFile = (): string => folderUntil(afterAll);
