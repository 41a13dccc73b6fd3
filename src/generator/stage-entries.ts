// Renders entries of a subject (routes/subject.ts), and stages the files that the build record lacks or has otherwise. Runs
// in any thread.

import { hash as hashOnce } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenFile } from '#files/file-sink.ts';
import { readIntact } from '#files/read-if-exists.ts';
import { hasDeviceName } from '#layout/device-names.ts';
import { stop } from '#model/failure.ts';
import { ROUTES } from '#routes/all.ts';
import { pageFile } from '#routes/route.ts';
import type { RenderOptions, StoredEntry } from '#routes/subject.ts';
import type { RecordedFile } from './record/build-record.ts';

export interface EntriesToStage {
  /** Ids of the routes to render; they have the same subject. */
  readonly routes: readonly string[];
  readonly entries: readonly StoredEntry[];
  readonly recorded: readonly RecordedFile[];
  readonly target: StageTarget;
  readonly options: RenderOptions;
}

/**
 * Stages entries in a second thread. A thread passes only the message and the cause of an error, so its code is added
 * to the cause.
 */
export function stageInThread(task: EntriesToStage): Staged {
  try {
    return stageEntries(task);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw Object.assign(error as Error, { cause: { code, path } });
  }
}

export function stageEntries({ routes, entries, recorded, target, options }: EntriesToStage): Staged {
  const staged = nothingStaged();
  const selected = ROUTES.filter((route) => routes.includes(route.id));
  const before = Map.groupBy(recorded, (file) => `${file.route}\0${file.key}`);
  for (const { key, stored } of entries) {
    const facts = stored === undefined ? undefined : selected[0]?.subject.open(stored);
    for (const route of selected) {
      // Pages are rendered one at a time, since each may have megabytes.
      const pages = Iterator.from(facts === undefined ? [] : route.render(facts, options));
      const files = pages.map((page) => ({ path: pageFile(page), body: page.body }));
      const recordedOf = before.get(`${route.id}\0${key}`) ?? [];
      stageFiles(staged, target, { route: route.id, key, files }, recordedOf);
    }
  }
  return staged;
}

/** The files of one entry of a route; none if the entry is not served. */
export interface RenderedEntry {
  readonly route: string;
  readonly key: string;
  readonly files: Iterable<StagedFile>;
}

export interface StagedFile {
  readonly path: string;
  /** The content of the file, or a file on the output folder's file system that will be moved, or copied if it is kept. */
  readonly body: string | Uint8Array | (WrittenFile & { readonly isKept?: boolean });
}

export interface StageTarget {
  readonly staging: string;
  /** The output folder; undefined for a first build. */
  readonly folder: string | undefined;
  /** True to compare each file with the bytes on the disk, as well as with the record. */
  readonly comparesBytes: boolean;
  /** True to skip files whose paths are reserved for devices, such as files of the locale `aux`. */
  readonly hasDevices: boolean;
}

export interface Staged {
  /** The staged files. */
  readonly files: RecordedFile[];
  /** Recorded files that their entries no longer have. */
  readonly obsolete: RecordedFile[];
  /** The number of `files` that were missing or damaged on the disk. */
  repaired: number;
  /**
   * Occupied paths of staged files: the entry did not have them before, but the output folder has a file or folder
   * there.
   */
  readonly occupied: string[];
  /** The first path that was not staged, since another file needs it. */
  collision?: string | undefined;
}

export function nothingStaged(): Staged {
  return { files: [], obsolete: [], repaired: 0, occupied: [] };
}

const COLLISION_CODES: ReadonlySet<string | undefined> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR']);

/**
 * Stages the files of an entry that changed, and finds its obsolete ones. `recorded`: the entry's files in the last
 * site.
 */
export function stageFiles(
  staged: Staged,
  target: StageTarget,
  { route, key, files }: RenderedEntry,
  recorded: readonly RecordedFile[],
): void {
  const before = new Map(recorded.map((file) => [file.path, file]));
  for (const { path, body } of files) {
    if (target.hasDevices && hasDeviceName(path)) continue;
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    const [hash, bytes] =
      content instanceof Uint8Array
        ? [hashOnce('sha256', content, 'hex'), content.length]
        : [content.hash, content.bytes];
    const old = before.get(path);
    before.delete(path);
    const isRecorded = old?.hash === hash;
    if (isRecorded && (!target.comparesBytes || isIntact(target, old))) continue;
    const inPlace = findExisting(target, path);
    if (inPlace !== undefined && old === undefined) staged.occupied.push(path);
    const isReplaced = inPlace === 'folder' && old !== undefined;
    if (!isReplaced && write(target, path, content)) {
      staged.files.push({ path, route, key, hash, bytes });
      if (isRecorded) staged.repaired++;
    } else staged.collision ??= path;
  }
  for (const file of before.values()) staged.obsolete.push(file);
}

function isIntact({ folder }: StageTarget, { path, hash }: RecordedFile): boolean {
  return folder !== undefined && readIntact(join(folder, path), hash) !== undefined;
}

/**
 * Returns `file` or `folder` if a path of the output folder exists. Also returns `folder` if a parent folder of the
 * path is a file.
 */
function findExisting({ folder }: StageTarget, path: string): 'file' | 'folder' | undefined {
  if (folder === undefined) return undefined;
  try {
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return stats && (stats.isDirectory() ? 'folder' : 'file');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return 'folder';
    throw error;
  }
}

/**
 * Writes a file into the staging folder. Returns false if a staged file already has the path, or a path that differs
 * only in case.
 */
function write({ staging }: StageTarget, path: string, content: Exclude<StagedFile['body'], string>): boolean {
  const file = join(staging, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (content instanceof Uint8Array) writeFileSync(file, content, { flag: 'wx' });
    else if (existsSync(file)) return false;
    else if (content.isKept) copyIntact(content, file);
    else renameSync(content.at, file);
    return true;
  } catch (error) {
    if (COLLISION_CODES.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}

/** Copies a file that stays. Throws FailureError `seed-invalid` if its hash differs. */
function copyIntact({ at, hash }: WrittenFile, to: string): void {
  const content = readIntact(at, hash);
  if (content === undefined)
    throw stop('seed-invalid', `${at} is missing or damaged. Nothing was changed. Delete it, and make the seed again.`);
  writeFileSync(to, content, { flag: 'wx' });
}
