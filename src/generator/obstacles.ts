// Finds files and folders of the output folder that are in the way of a new file.

import { lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { RecordReader } from './record/build-record.ts';
import { findObsolete } from './record/changes.ts';

/**
 * Returns a path that is in the way of a new file at `path` and that the build does not remove; undefined without one.
 */
export async function findObstacle(record: RecordReader, folder: string, path: string): Promise<string | undefined> {
  const obstacles = obstaclesOf(folder, path);
  const removed = await findObsolete(record, obstacles);
  return obstacles.find((obstacle) => !removed.has(obstacle));
}

/** Returns the file at the path of a folder of the new file, the files in a folder at its own path, or the path. */
function obstaclesOf(folder: string, path: string): readonly string[] {
  const file = foldersOf(path).find((parent) => lstatSync(join(folder, parent), { throwIfNoEntry: false })?.isFile());
  return file === undefined ? (filesBelow(folder, path) ?? [path]) : [file];
}

/**
 * Returns the files in a folder and its subfolders, or an empty folder itself. Undefined if the path is not a folder.
 */
function filesBelow(folder: string, path: string): string[] | undefined {
  try {
    const entries = readdirSync(join(folder, path), { withFileTypes: true });
    if (entries.length === 0) return [path];
    return entries.flatMap(({ name }) => filesBelow(folder, `${path}/${name}`) ?? [`${path}/${name}`]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
    return undefined;
  }
}

/** Returns the folders that contain a path, the outermost first. */
function foldersOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [...foldersOf(parent), parent];
}
