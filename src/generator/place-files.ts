// Makes the output folder equal to the record: moves staged files to their places, each atomically, and removes obsolete
// files. After a crash, the next build runs this again.
import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { stop } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import { inOrderOf } from '#sqlite/lists.ts';
import { findObstacle } from './obstacles.ts';
import { assertRealFolder, type Output } from './open-output.ts';
import type { RecordReader } from './record/build-record.ts';

const REMOVED_AT_ONCE = 2_000;
const REMOVE_AND_REBUILD = 'Files already moved stay. Remove this path, then build again to move the rest.';

/** Moves all files of the staging folder to their places, and then removes the obsolete ones. */
export async function placeFiles({ staging, folder, record }: Output, reporter: Reporter): Promise<void> {
  if (existsSync(staging)) await moveContent(record, staging, folder, '');
  let done = 0;
  for await (const rows of inOrderOf(record.selectFrom('obsolete').select('path'), 'path', 'path', REMOVED_AT_ONCE)) {
    for (const { path } of rows) removeFile(folder, path);
    done += rows.length;
    reporter.progress({ task: 'remove', done, unit: 'items' });
  }
  await syncToDisk(folder);
}

/**
 * Moves the content of `staging` into `folder`, each new folder and each file atomically. Folders are moved first,
 * since pages in the root link to their files.
 */
async function moveContent(record: RecordReader, staging: string, folder: string, path: string): Promise<void> {
  const entries = readdirSync(join(staging, path), { withFileTypes: true });
  for (const entry of entries.sort((left, right) => Number(right.isDirectory()) - Number(left.isDirectory()))) {
    const placed = join(path, entry.name);
    const to = join(folder, placed);
    const stats = lstatSync(to, { throwIfNoEntry: false });
    const isObstructed = stats !== undefined && (entry.isDirectory() ? stats.isFile() : stats.isDirectory());
    if (isObstructed && (await findObstacle(record, folder, placed)) === undefined) rmSync(to, { recursive: true });
    if (entry.isDirectory() && pathExists(to)) {
      assertRealFolder(to, REMOVE_AND_REBUILD);
      await moveContent(record, staging, folder, placed);
    } else {
      renameSync(join(staging, placed), to);
    }
  }
  rmdirSync(join(staging, path));
}

/**
 * Removes a file, and its parent folders below `target` that are then empty. Does nothing if a new folder is at the
 * path, or a new file at the path of a parent folder.
 */
function removeFile(target: string, path: string): void {
  const file = join(target, path);
  let folder = target;
  for (const part of path.split('/').slice(0, -1)) {
    folder = join(folder, part);
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined || stats.isFile()) return;
    assertRealFolder(folder, REMOVE_AND_REBUILD);
  }
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats !== undefined) unlinkSync(file);
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    try {
      rmdirSync(join(target, parent));
    } catch {
      return; // not empty
    }
  }
}

/** Flushes the file system of the folder to the disk. Throws FailureError `disk-full`. */
export async function syncToDisk(folder: string): Promise<void> {
  try {
    await promisify(execFile)('sync', ['-f', folder]);
  } catch (error) {
    const { code, stderr, message } = error as ExecFileException & { stderr?: string };
    // The option `-f` of `sync` comes from GNU coreutils. On systems without the command, a power cut may damage the
    // last build.
    if (code === 'ENOENT') return;
    throw stop(
      'disk-full',
      `The disk of ${folder} is full or failing: written files could not be flushed ` +
        `(${(stderr || message).trim()}). Free space or repair the disk, then build again.`,
      error,
    );
  }
}

/** Returns true if the path exists, even if it is a symbolic link to a missing file. */
function pathExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
