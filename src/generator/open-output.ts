// Opens the output folder of a build: ours or empty, locked, with its record.

import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { adviseOnMount, describeDisk } from '#files/disk-errors.ts';
import type { Host } from '#hosts/host.ts';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { FailureError, stop } from '#model/failure.ts';
import { takeLock } from '#sqlite/lock.ts';
import { recordFileOf } from './finished-build.ts';
import { type BuildRecord, expectAllNew, OUT_OF_ROOM, openBuildRecord, readOrigin } from './record/build-record.ts';

export interface Output {
  readonly folder: string;
  /** Where new files wait for their place; on the same file system. */
  readonly staging: string;
  /** A line for each file that the last build wrote or removed, for uploads and cache purges. */
  readonly changesFile: string;
  readonly record: BuildRecord;
  /** True if nothing was ever built into it. */
  readonly isNew: boolean;
  /** Folders that were not there: the output folder and those above it, the innermost first. */
  readonly made: readonly string[];
  close(): Promise<void>;
}

/** Names that a file system puts into its own root: an output folder may be a mount point. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['lost+found']);

/** Throws FailureError `out-foreign` for a folder with content that is not ours, and changes nothing there. */
export async function openOutput(folder: string): Promise<Output> {
  const bookkeeping = join(folder, BOOKKEEPING_FOLDER);
  const recordFile = recordFileOf(folder);
  try {
    await using opened = new AsyncDisposableStack();
    const made = makeFolder(folder);
    const names = readdirSync(folder).filter((name) => !NOT_CONTENT.has(name));
    if (names.includes(BOOKKEEPING_FOLDER)) assertRealFolder(bookkeeping);
    const content = names.filter((name) => name !== BOOKKEEPING_FOLDER);
    if (content.length > 0 && (statSync(recordFile, { throwIfNoEntry: false })?.size ?? 0) === 0) {
      const some = content.sort().slice(0, 3).join(', ');
      throw stop(
        'out-foreign',
        `${folder} holds files that no build of stxpress wrote (${some}${content.length > 3 ? ', …' : ''}). ` +
          'Nothing was changed; name an empty or new folder with --out, or delete this one if a build made it.',
      );
    }
    mkdirSync(bookkeeping, { recursive: true });
    opened.use(takeLock(join(bookkeeping, 'lock.sqlite'), `building into ${folder}`));
    const record = opened.adopt(await openBuildRecord(recordFile), (one) => one.destroy());
    const isNew = content.length === 0 && (await readOrigin(record)) === undefined;
    if (isNew) await expectAllNew(record);
    const kept = opened.move();
    return {
      folder,
      staging: join(bookkeeping, 'staging'),
      changesFile: join(bookkeeping, 'changes.ndjson'),
      record,
      made,
      isNew,
      close: () => kept.disposeAsync(),
    };
  } catch (error) {
    throw explainOutputError(error, folder);
  }
}

/** Takes back what {@link openOutput} made in a folder into which nothing was built. */
export function forgetOutput({ folder, made }: Pick<Output, 'folder' | 'made'>): void {
  rmSync(join(folder, BOOKKEEPING_FOLDER), { recursive: true, force: true });
  try {
    for (const own of made) rmdirSync(own);
  } catch {
    // Somebody put something into it meanwhile.
  }
}

/** The folder beside the output folder in which each host has one of its own. */
export function hostsFolder(out: string): string {
  return join(out, '..', `${basename(resolve(out))}-hosts`);
}

/** Throws FailureError `usage` or `out-unwritable` for what would fail only when the site is in place. */
export function checkFolders(hosts: readonly Host[], out: string): void {
  const folder = resolve(out);
  for (const { name, unquotable } of hosts) {
    if (unquotable?.test(folder))
      throw stop(
        'usage',
        `--out is ${JSON.stringify(folder)}, and the configuration of ${name} cannot name such a folder. ` +
          'Nothing was written; build into another.',
      );
  }
  const beside = hostsFolder(out);
  if (hosts.length > 0 && statSync(beside, { throwIfNoEntry: false })?.isDirectory() === false)
    throw stop(
      'out-unwritable',
      `${beside} is a file where the build writes a folder for each host. ` +
        'Nothing was written; remove it, or name another folder with --out.',
    );
}

/** Folder by folder: Node's own recursion never ends on a file system that refuses new names with ENOENT (/proc). */
function makeFolder(folder: string): string[] {
  const parent = dirname(folder);
  const above = parent !== folder && !existsSync(parent) ? makeFolder(parent) : [];
  try {
    mkdirSync(folder);
    return [folder, ...above];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return above;
  }
}

/** Nothing is written through a symbolic link: it may lead out of the output folder. */
export function assertRealFolder(
  path: string,
  advice = 'Nothing was changed; remove it, or name another folder with --out.',
): void {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) {
    throw stop(
      'out-foreign',
      `${path} is ${stats.isSymbolicLink() ? 'a symbolic link' : 'a file'}, and the build needs a folder there. ` +
        advice,
    );
  }
}

/** Turns an error of the file system into one that names the folder and says what to do. */
export function explainOutputError(error: unknown, folder: string): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const where = 'path' in error && typeof error.path === 'string' ? error.path : folder;
  // The files of hosts lie beside the folder, perhaps on another disk.
  const isWithin = !relative(folder, where).startsWith('..');
  const state = describeDisk(error);
  if (state !== undefined)
    return stop('disk-full', `The disk of ${isWithin ? folder : where} is ${state}. ${OUT_OF_ROOM}`, error);
  if (!UNWRITABLE.test(String(error.code))) return error;
  return stop(
    'out-unwritable',
    `The output folder cannot be written: ${where}: ${error.message}. ` +
      (adviseOnMount(error) ?? 'Check the path and its permissions, or name another with --out.'),
    error,
  );
}

const UNWRITABLE = /^E(ACCES|PERM|ROFS|NOTDIR|NOENT|EXIST|NAMETOOLONG|ISDIR|LOOP|BUSY|MFILE|NOTEMPTY|XDEV)$/;
