// Decides whether a build may write new files to occupied paths of the output folder: it may if the build removes the
// recorded file or folder there, and it may not if no build wrote it.

import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { RecordReader, RecordWriter } from './record/build-record.ts';
import { findTaken, insertTaken, readRemoved } from './record/changes.ts';
import { readPlannedPaths } from './record/planned-files.ts';
import { readRecorded } from './record/recorded-files.ts';

/** Opens a check of occupied paths for the build that is planned in the transaction. */
export function openOccupied(record: RecordWriter, folder: string) {
  /** Recorded files at paths where new files need a folder, and new files at paths where the site has a folder. */
  const [files, folders] = [new Set<string>(), new Set<string>()];
  let foreign: string | undefined;
  return { claim, findCollision };

  /** Notes new files at occupied paths. Call it before their changes are inserted. */
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
      else if (await isRecordedFolder(path)) folders.add(path);
      else foreign ??= path;
    }
  }

  /** Returns a new path that stays occupied, or undefined. Call it when everything is planned. */
  async function findCollision(): Promise<string | undefined> {
    const removed = await readRemoved(record, [...files]);
    const stays = [...files].find((path) => !removed.has(path));
    if (stays !== undefined) return stays;
    for (const path of folders) if ((await readPlannedPaths(record, `${path}/`).next()).done !== true) return path;
    return foreign ?? (await findTaken(record));
  }

  async function isRecordedFolder(path: string): Promise<boolean> {
    const below = filesBelow(folder, path);
    return below !== undefined && (await readRecorded(record, below)).size === below.length;
  }
}

/** Returns true if the plan removes the file at the path, or all files of the folder there. */
export async function isRemovalPlanned(record: RecordReader, folder: string, path: string): Promise<boolean> {
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

/** Returns the folders that contain a path, the innermost first. */
function foldersOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...foldersOf(parent)];
}
