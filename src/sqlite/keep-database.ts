// Moves a database aside under a new name, so that another can take its place and nothing is lost; or removes it.
import { existsSync, renameSync, rmSync } from 'node:fs';
import { FILE_SUFFIXES } from './open-sqlite.ts';

/** Returns the new name, or undefined if there was no database. */
export function keepDatabase(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  let number = 1;
  while (FILE_SUFFIXES.some((suffix) => existsSync(`${path}.kept-${number}${suffix}`))) number++;
  const kept = `${path}.kept-${number}`;
  // The log holds changes that are not in the file yet. It moves first, so that a kill leaves no log beside a new file.
  for (const suffix of FILE_SUFFIXES.toReversed()) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  }
  return kept;
}

/** It need not be there. */
export function removeDatabase(path: string): void {
  for (const suffix of FILE_SUFFIXES) rmSync(path + suffix, { force: true });
}
