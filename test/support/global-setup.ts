// A folder for as long as the tests run: what all files of tests need is made there once, by the first that needs it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedFolder: string;
  }
}

export function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'stxpress-shared-'));
  provide('sharedFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
