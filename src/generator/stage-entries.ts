// Renders entries of a subject, in any thread, and stages the files that differ from the record.

import { hash as hashOnce } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenFile } from '#files/file-sink.ts';
import { ROUTES } from '#routes/all.ts';
import { pageFile } from '#routes/route.ts';
import type { RenderOptions, StoredEntry } from '#routes/subject.ts';
import type { RecordedChange, RecordedFile } from './record/build-record.ts';

export interface EntriesToStage {
  /** Ids of routes with the same subject. */
  readonly routes: readonly string[];
  readonly entries: readonly StoredEntry[];
  readonly recorded: readonly RecordedFile[];
  readonly target: StageTarget;
  readonly options: RenderOptions;
}

/** Stages entries in a thread. Adds the code of an error to its cause, since a thread passes only message and cause. */
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
  const selected = ROUTES.filter((route) => routes.includes(route.id));
  const before = Map.groupBy(recorded, (file) => `${file.route}\0${file.key}`);
  for (const { key, stored } of entries) {
    const facts = stored === undefined ? undefined : selected[0]?.subject.open(stored);
    for (const route of selected) {
      // Rendered one at a time, since a page may have megabytes.
      const pages = Iterator.from(facts === undefined ? [] : route.render(facts, options));
      const files = pages.map((page) => ({ path: pageFile(page), body: page.body }));
      const recordedOf = before.get(`${route.id}\0${key}`) ?? [];
      stageFiles(staged, target, { route: route.id, key, files }, recordedOf);
    }
  }
  return staged;
}

/** All files of an entry of a route; empty if the entry is not served. */
export interface RenderedEntry {
  readonly route: string;
  readonly key: string;
  readonly files: Iterable<StagedFile>;
}

export interface StagedFile {
  readonly path: string;
  /** The content, or a file on the file system of the output folder that will be moved. */
  readonly body: string | Uint8Array | WrittenFile;
}

export interface StageTarget {
  readonly staging: string;
  /** The output folder; undefined for a first build. */
  readonly folder: string | undefined;
}

export interface Staged {
  readonly changes: RecordedChange[];
  /** Paths of staged files that are new for their entry, and exist in the output folder. */
  readonly occupied: string[];
  /** The first path that two files need. It was not staged. */
  collision?: string | undefined;
}

const COLLISION_CODES: ReadonlySet<string | undefined> = new Set(['EEXIST', 'EISDIR', 'ENOTDIR']);

/** Stages the changed files of an entry. `recorded`: the files of the entry in the output folder. */
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
  for (const obsolete of before.keys()) staged.changes.push({ path: obsolete, route, key, hash: undefined, bytes: 0 });
}

/** Returns the kind of a path in the output folder; `folder` also if a file is at the path of a parent folder. */
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

/** Writes a staged file. Returns false if its path collides with a staged path, for example if they differ in case. */
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
