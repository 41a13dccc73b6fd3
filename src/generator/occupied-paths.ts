// Decides about new files whose place in the output folder is taken: by a file of another entry, which gives it up, by a
// file or folder of ours that goes, or by something that no build wrote.

import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { RecordReader, RecordWriter } from './record/build-record.ts';
import { findTaken, insertTaken, readRemoved } from './record/changes.ts';
import { readPlannedPaths } from './record/planned-files.ts';
import { readRecorded } from './record/recorded-files.ts';

/** For the build that is planned in a transaction of the record. */
export function openOccupied(record: RecordWriter, folder: string) {
  /** Recorded files that lie where new files need a folder, and new files that lie where the site has a folder. */
  const [files, folders] = [new Set<string>(), new Set<string>()];
  let foreign: string | undefined;
  return { claim, findCollision };

  /** Notes new files whose places are taken, before their changes are inserted. */
  async function claim(paths: readonly string[]): Promise<void> {
    const recorded = await readRecorded(record, [...new Set(paths.flatMap((path) => [path, ...foldersOf(path)]))]);
    await insertTaken(
      record,
      paths.filter((path) => recorded.has(path)),
    );
    for (const path of paths) {
      if (recorded.has(path)) continue;
      const file = foldersOf(path).find((parent) => recorded.has(parent));
      if (file !== undefined) files.add(file);
      else if (await isOurs(path)) folders.add(path);
      else foreign ??= path;
    }
  }

  /** Returns a new path that cannot have its place, if there is one. Call it when everything is planned. */
  async function findCollision(): Promise<string | undefined> {
    const removed = await readRemoved(record, [...files]);
    const stays = [...files].find((path) => !removed.has(path));
    if (stays !== undefined) return stays;
    for (const path of folders) if ((await readPlannedPaths(record, `${path}/`).next()).done !== true) return path;
    return foreign ?? (await findTaken(record));
  }

  async function isOurs(path: string): Promise<boolean> {
    const below = filesBelow(folder, path);
    return below !== undefined && (await readRecorded(record, below)).size === below.length;
  }
}

/** True if a plan removes the file at the path, or the folder there with all its files. */
export async function isPlannedToGo(record: RecordReader, folder: string, path: string): Promise<boolean> {
  const files = filesBelow(folder, path) ?? [path];
  return (await readRemoved(record, files)).size === files.length;
}

/** Lists the files below a folder, or the folder itself if it is empty; undefined if the path is not a folder. */
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

/** The folders that a path lies in, the innermost first. */
function foldersOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...foldersOf(parent)];
}
