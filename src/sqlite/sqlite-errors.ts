// Explains SQLite and disk errors: which file failed, and what to do.
import { accessSync, constants } from 'node:fs';
import { describeDisk } from '#files/disk-errors.ts';
import { FailureError, stop } from '#model/failure.ts';

export interface NamedKind {
  readonly what: string;
  /** Advice for a damaged file, or one of another version. */
  readonly remedy: (path: string) => string;
  /** Data that a full disk has not affected, and advice. */
  readonly whenFull: string;
}

/** The file of an error, since a build has two databases open. */
export interface DatabaseFile {
  readonly path: string;
  readonly kind: NamedKind;
}

export function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && BUSY_CODES.has(primaryCode((error as { code?: unknown }).code));
}

const BUSY_CODES: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL']);

/** Maps SQLITE_BUSY_SNAPSHOT to SQLITE_BUSY; returns other codes unchanged. */
function primaryCode(code: unknown): string {
  return String(code).replace(/^(SQLITE_[A-Z]+)_.*$/, '$1');
}

/** Converts an error that a database names to a FailureError; others are left as they are. */
export function explainNamedError(error: unknown): unknown {
  if (!(error instanceof Error && 'database' in error)) return error;
  const { path, kind } = error.database as DatabaseFile;
  return explainSqliteError(error, path, kind);
}

/** Converts an SQLite or file system error to a FailureError that names the file: the error's own, or the given one. */
export function explainSqliteError(error: unknown, ofPath: string, ofKind: NamedKind): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const { path, kind } = 'database' in error ? (error.database as DatabaseFile) : { path: ofPath, kind: ofKind };
  // Packed code has a checksum (Z_…, ZSTD_…), unlike SQLite's pages; a missing table or column was overwritten.
  const hasOtherSchema =
    error.code === 'SQLITE_ERROR' && /no such (?:table|column)|has no column named/.test(error.message);
  if (hasOtherSchema || /^Z(?:STD)?_|^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code)))
    return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
  if (isBusy(error)) return stop('locked', `${path} is held by another program. Run again when it is released.`, error);
  const code = primaryCode(error.code);
  const state = code === 'SQLITE_FULL' ? 'full' : describeDisk(error);
  if (state !== undefined)
    return stop('disk-full', `The disk of ${'path' in error ? error.path : path} is ${state}. ${kind.whenFull}`, error);
  // Without room for its shared memory, SQLite reports codes of this kind, as for a failing disk.
  if (code === 'SQLITE_IOERR') {
    const message = `The disk of ${path} is full or failing (${error.code}). Free some space or replace it, and run again.`;
    return stop('disk-full', message, error);
  }
  if (!UNWRITABLE.test(code)) return error;
  const use = isUnreadable(path) ? 'read' : 'opened for writing';
  const why = `The ${kind.what} ${path} cannot be ${use} (${error.message}).`;
  return stop('index-unwritable', `${why} Check the path and its permissions.`, error);
}

const UNWRITABLE = /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|E(ACCES|PERM|ROFS|ISDIR|NOTDIR|EXIST|NAMETOOLONG|LOOP))$/;

/** True for a file that is there and not for this user: reading it takes no permission to write. */
function isUnreadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

export function corruptMessage(path: string, { what, remedy }: NamedKind, detail: string): string {
  return `The ${what} ${path} is damaged (${detail.replace(/\s+/g, ' ')}). Nothing was changed; ${remedy(path)}.`;
}
