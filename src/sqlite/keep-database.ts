// Moves a database out of the way under a new name, so that another can take its place and nothing is lost.
import { existsSync, renameSync } from 'node:fs';
import { FILE_SUFFIXES } from './open-sqlite.ts';

/** Returns the name under which it is kept, or undefined if there was none. */
export function keepDatabase(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  let number = 1;
  while (FILE_SUFFIXES.some((suffix) => existsSync(`${path}.kept-${number}${suffix}`))) number++;
  const kept = `${path}.kept-${number}`;
  // The log holds what is not in the file yet. It moves first, so that a kill leaves no log beside a new file.
  for (const suffix of FILE_SUFFIXES.toReversed()) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  }
  return kept;
}
