// Mounts small or read-only file systems for tests, if the machine allows it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';

/** Mounts a file system of this size in memory. Returns its folder; undefined if the machine does not allow mounts. */
export function mountSmallDisk(size: string): string | undefined {
  const folder = tempFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]).status !== 0) return undefined;
  unmountAfterwards(folder);
  return folder;
}

export function resizeDisk(folder: string, size: string): void {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder]);
}

/**
 * Makes `source` readable at `folder`, by default the same path, through a read-only mount. Returns a function that
 * unmounts it; undefined if the machine does not allow mounts.
 */
export function mountReadOnly(source: string, folder = source): (() => void) | undefined {
  mkdirSync(folder, { recursive: true });
  if (spawnSync('mount', ['--bind', source, folder]).status !== 0) return undefined;
  unmountAfterwards(folder);
  execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
  return () => execFileSync('umount', [folder]);
}

function unmountAfterwards(folder: string): void {
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
}
