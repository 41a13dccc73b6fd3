// Decides whether a build may write a new file to an occupied path of the output folder. It may if the build removes
// the recorded file or folder at this path. It may not if no build wrote the file there.

import { readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { RecordReader, RecordWriter } from './record/build-record.ts';
import { findTaken, insertTaken, readRemoved } from './record/changes.ts';
import { readPlannedPaths } from './record/planned-files.ts';
import { readRecorded } from './record/recorded-files.ts';

/** Returns functions that check occupied paths for the build that the transaction plans. */
export function openOccupied(record: RecordWriter, folder: string) {
  /**
   * `files`: recorded files at paths where new files need a folder. `folders`: recorded folders at paths of new files.
   */
  const [files, folders] = [new Set<string>(), new Set<string>()];
  let foreign: string | undefined;
  return { claim, findCollision };

  /** Remembers the paths of new files that are occupied. Call it before the changes with these files are inserted. */
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

  /**
   * Returns the path of a new file that would still be occupied after the build; undefined without one. Call it when
   * everything is planned.
   */
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

/** Returns true if the plan removes the file at the path; for a folder, all its files. */
export async function isRemovalPlanned(record: RecordReader, folder: string, path: string): Promise<boolean> {
  const files = filesBelow(folder, path) ?? [path];
  return (await readRemoved(record, files)).size === files.length;
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

/** Returns the folders that contain a path, the innermost first. */
function foldersOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...foldersOf(parent)];
}
