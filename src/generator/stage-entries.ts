// Renders entries of a subject, in whatever thread, and stages the files that are not as they are recorded.

import { hash as hashOnce } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenFile } from '#files/file-sink.ts';
import { ROUTES } from '#routes/all.ts';
import { pageFile } from '#routes/route.ts';
import type { RenderOptions, StoredEntry } from '#routes/subject.ts';
import type { RecordedChange, RecordedFile } from './record/build-record.ts';

export interface EntriesToStage {
  /** Ids of the routes, which have one subject. */
  readonly routes: readonly string[];
  readonly entries: readonly StoredEntry[];
  readonly recorded: readonly RecordedFile[];
  readonly target: StageTarget;
  readonly options: RenderOptions;
}

/** A thread hands over no more of an error of the file system than its message and its cause. */
export function stageInThread(task: EntriesToStage): Staged {
  try {
    return stageEntries(task);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    throw Object.assign(error as Error, { cause: { code, path } });
  }
}

export function stageEntries({ routes, entries, recorded, target, options }: EntriesToStage): Staged {
  const staged: Staged = { changes: [], occupied: [] };
  const ofRoutes = ROUTES.filter((route) => routes.includes(route.id));
  const before = Map.groupBy(recorded, (file) => `${file.route}\0${file.key}`);
  for (const { key, stored } of entries) {
    const facts = stored === undefined ? undefined : ofRoutes[0]?.subject.open(stored);
    for (const route of ofRoutes) {
      // One at a time: the pages of one entry may have megabytes each.
      const pages = Iterator.from(facts === undefined ? [] : route.render(facts, options));
      const files = pages.map((page) => ({ path: pageFile(page), body: page.body }));
      const recordedOf = before.get(`${route.id}\0${key}`) ?? [];
      stageFiles(staged, target, { route: route.id, key, files }, recordedOf);
    }
  }
  return staged;
}

/** All files of one entry of a route; none if it is not served. */
export interface RenderedEntry {
  readonly route: string;
  readonly key: string;
  readonly files: Iterable<StagedFile>;
}

export interface StagedFile {
  readonly path: string;
  /** A file that is written already, on the file system of the output folder, is moved. */
  readonly body: string | Uint8Array | WrittenFile;
}

export interface StageTarget {
  readonly staging: string;
  /** The output folder; undefined while nothing is in it. */
  readonly folder: string | undefined;
}

export interface Staged {
  readonly changes: RecordedChange[];
  /** Paths of staged files that the entry did not have before, where the output folder has something. */
  readonly occupied: string[];
  /** The first path that two answers need; it was not staged. */
  collision?: string | undefined;
}

const COLLISION_CODES: ReadonlySet<string | undefined> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR']);

/** Adds an entry to what is staged. `recorded`: what the output folder has of it. */
export function stageFiles(
  staged: Staged,
  target: StageTarget,
  { route, key, files }: RenderedEntry,
  recorded: readonly RecordedFile[],
): void {
  const before = new Map(recorded.map((file) => [file.path, file]));
  for (const { path, body } of files) {
    const content = typeof body === 'string' ? Buffer.from(body) : body;
    const [hash, bytes] =
      content instanceof Uint8Array
        ? [hashOnce('sha256', content, 'hex'), content.length]
        : [content.hash, content.bytes];
    const old = before.get(path);
    before.delete(path);
    if (old?.hash === hash) continue;
    const inPlace = findExisting(target, path);
    if (inPlace !== undefined && old === undefined) staged.occupied.push(path);
    const isReplaced = inPlace === 'folder' && old !== undefined;
    if (!isReplaced && write(target, path, content)) staged.changes.push({ path, route, key, hash, bytes });
    else staged.collision ??= path;
  }
  for (const gone of before.keys()) staged.changes.push({ path: gone, route, key, hash: undefined, bytes: 0 });
}

/** Returns what the output folder has at a path; `folder` also where a file has the place of a folder. */
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

/** The file system itself says whether two paths are one: the same, alike but for case, or a file and a folder. */
function write({ staging }: StageTarget, path: string, content: Uint8Array | WrittenFile): boolean {
  const file = join(staging, path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (content instanceof Uint8Array) writeFileSync(file, content, { flag: 'wx' });
    else if (existsSync(file)) return false;
    else renameSync(content.at, file);
    return true;
  } catch (error) {
    if (COLLISION_CODES.has((error as NodeJS.ErrnoException).code)) return false;
    throw error;
  }
}
