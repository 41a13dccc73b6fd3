// Moves a database aside under a new name, so that another can take its place and nothing is lost.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FILE_SUFFIXES } from './open-sqlite.ts';

/** Returns the new name, or undefined if there was no database. The newest kept database has the highest number. */
export function keepDatabase(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const kept = `${path}.kept-${(keptNumbers(path)[0] ?? 0) + 1}`;
  // The log holds changes that are not in the file yet. It moves first, so that a kill leaves no log beside a new file.
  for (const suffix of FILE_SUFFIXES.toReversed()) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  }
  return kept;
}

/** Returns the path of the newest kept database; undefined if no database was kept. */
export function newestKept(path: string): string | undefined {
  const newest = keptNumbers(path).find((number) => existsSync(`${path}.kept-${number}`));
  return newest === undefined ? undefined : `${path}.kept-${newest}`;
}

/** Returns the numbers of kept databases, the highest first. */
function keptNumbers(path: string): number[] {
  const prefix = `${basename(path)}.kept-`;
  if (!existsSync(dirname(path))) return [];
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix));
  const numbers = names.map((name) => Number(/^([1-9]\d{0,8})(?:-wal|-shm)?$/.exec(name.slice(prefix.length))?.[1]));
  return numbers.filter((number) => !Number.isNaN(number)).sort((left, right) => right - left);
}
