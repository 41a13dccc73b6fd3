// Opens the output folder of a build: checks that it is empty or holds a site, locks it, and opens its record.

import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { adviseOnMount, describeDisk } from '#files/disk-errors.ts';
import { createFolder, isSystemFile } from '#files/folders.ts';
import type { Host } from '#hosts/host.ts';
import { BOOKKEEPING_FOLDER } from '#layout/response-files.ts';
import { FailureError, stop } from '#model/failure.ts';
import { takeLock } from '#sqlite/lock.ts';
import { recordFileOf } from './finished-build.ts';
import { type BuildRecord, FREE_SPACE, openBuildRecord, readOrigin } from './record/build-record.ts';

export interface Output {
  readonly folder: string;
  /** The folder where new files are written before they are moved into the site. It is on the same file system. */
  readonly staging: string;
  readonly record: BuildRecord;
  /** True if no build recorded a site in the folder before. */
  readonly isNew: boolean;
  /** True if names that differ only in case are the same file. */
  readonly ignoresCase: boolean;
  /** True if some names are reserved for devices. */
  readonly hasDevices: boolean;
  /** The folders that this build created: the output folder and its parents, the innermost first. */
  readonly made: readonly string[];
  close(): Promise<void>;
}

const LOCK = 'lock.sqlite';

/**
 * Opens the output folder. Throws FailureError `out-foreign`, without a change, if the folder has content that no build
 * wrote.
 */
export async function openOutput(folder: string): Promise<Output> {
  const bookkeeping = join(folder, BOOKKEEPING_FOLDER);
  const recordFile = recordFileOf(folder);
  try {
    await using opened = new AsyncDisposableStack();
    const made = createFolder(folder);
    const names = readdirSync(folder).filter((name) => !isSystemFile(name));
    if (names.includes(BOOKKEEPING_FOLDER)) assertRealFolder(bookkeeping);
    const content = names.filter((name) => name !== BOOKKEEPING_FOLDER);
    if (content.length > 0 && (statSync(recordFile, { throwIfNoEntry: false })?.size ?? 0) === 0) {
      const some = content.sort().slice(0, 3).join(', ');
      throw stop(
        'out-foreign',
        `${folder} holds files that no build of stxpress wrote (${some}${content.length > 3 ? ', …' : ''}). ` +
          'Nothing was changed. Choose an empty or new folder with --out, or delete this one if a build made it.',
      );
    }
    createFolder(bookkeeping);
    opened.use(takeLock(join(bookkeeping, LOCK), `building into ${folder}`));
    const record = opened.adopt(await openBuildRecord(recordFile), (database) => database.destroy());
    const isNew = content.length === 0 && (await readOrigin(record)) === undefined;
    const resources = opened.move();
    return {
      folder,
      staging: join(bookkeeping, 'staging'),
      record,
      made,
      isNew,
      ignoresCase: existsSync(join(bookkeeping, LOCK.toUpperCase())),
      hasDevices: process.platform === 'win32',
      close: () => resources.disposeAsync(),
    };
  } catch (error) {
    throw explainOutputError(error, folder);
  }
}

/** Removes the files and folders that {@link openOutput} created. Call it if no build was made in the folder. */
export function forgetOutput({ folder, made }: Pick<Output, 'folder' | 'made'>): void {
  rmSync(join(folder, BOOKKEEPING_FOLDER), { recursive: true, force: true });
  try {
    for (const createdFolder of made) rmdirSync(createdFolder);
  } catch {
    // The folder is not empty: another program has written files into it.
  }
}

/** Returns the folder for the files of hosts. It is next to the output folder, and has a subfolder for each host. */
export function hostsFolder(out: string): string {
  return join(out, '..', `${basename(resolve(out))}-hosts`);
}

/** Checks the output folder and the folder for files of hosts. Throws FailureError `usage` or `out-unwritable`. */
export function checkFolders(hosts: readonly Host[], out: string): void {
  const folder = resolve(out);
  for (const { name, unquotable } of hosts) {
    if (unquotable?.test(folder))
      throw stop(
        'usage',
        `--out is ${JSON.stringify(folder)}, which the configuration of ${name} cannot contain. ` +
          'Nothing was written. Choose another folder with --out.',
      );
  }
  const hostsPath = hostsFolder(out);
  if (hosts.length > 0 && statSync(hostsPath, { throwIfNoEntry: false })?.isDirectory() === false)
    throw stop(
      'out-unwritable',
      `${hostsPath} is a file, and the build needs a folder there for the files of hosts. ` +
        'Nothing was written. Remove the file, or choose another folder with --out.',
    );
}

/**
 * Throws FailureError `out-foreign` if the path is a file, or a symbolic link, which may lead out of the output folder.
 */
export function assertRealFolder(
  path: string,
  advice = 'Nothing was changed. Remove it, or choose another folder with --out.',
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

/** Converts an error of the file system into a FailureError with a remedy. Returns any other error unchanged. */
export function explainOutputError(error: unknown, folder: string): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const where = 'path' in error && typeof error.path === 'string' ? error.path : folder;
  // The folder for files of hosts may be on another disk than the output folder.
  const isWithin = !relative(folder, where).startsWith('..');
  const state = describeDisk(error);
  if (state !== undefined)
    return stop('disk-full', `The disk of ${isWithin ? folder : where} is ${state}. ${FREE_SPACE}`, error);
  if (!UNWRITABLE.test(String(error.code))) return error;
  return stop(
    'out-unwritable',
    `The output folder cannot be written: ${where}: ${error.message}. ` +
      (adviseOnMount(error) ?? 'Check the path and its permissions, or choose another with --out.'),
    error,
  );
}

const UNWRITABLE = /^E(ACCES|PERM|ROFS|NOTDIR|NOENT|EXIST|NAMETOOLONG|ISDIR|LOOP|BUSY|MFILE|NOTEMPTY|XDEV)$/;
