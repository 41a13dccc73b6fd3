// Renames a database to keep it, so that a new database can use its path.
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FILE_SUFFIXES } from './open-sqlite.ts';

/**
 * Renames the database to `PATH.kept-N`, where N is higher than the number of every kept database. Returns the new
 * path, or undefined if there is no database.
 */
export function keepDatabase(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const kept = `${path}.kept-${(keptNumbers(path)[0] ?? 0) + 1}`;
  // Renames the write-ahead log first, since it has changes that are not in the database yet. After a kill, it must not
  // be next to a new database.
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

/** Returns the numbers of kept databases, in descending order. */
function keptNumbers(path: string): number[] {
  const prefix = `${basename(path)}.kept-`;
  if (!existsSync(dirname(path))) return [];
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(prefix));
  const numbers = names.map((name) => Number(/^([1-9]\d{0,8})(?:-wal|-shm)?$/.exec(name.slice(prefix.length))?.[1]));
  return numbers.filter((number) => !Number.isNaN(number)).sort((left, right) => right - left);
}
