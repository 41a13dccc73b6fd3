// Explains SQLite and disk errors: names the file that failed and the remedy.
import { accessSync, constants } from 'node:fs';
import { describeDisk } from '#files/disk-errors.ts';
import { FailureError, stop } from '#model/failure.ts';

/** A kind of file, as messages describe it. */
export interface NamedKind {
  /** The name in messages, such as `index`. */
  readonly what: string;
  /** Returns advice for a damaged file, or for a file of another version: the end of a sentence, in the imperative. */
  readonly remedy: (path: string) => string;
  /** Sentences for a full disk: the data that is not affected, and advice. */
  readonly whenFull: string;
}

/** The file that caused an error. A build has two databases open. */
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

/**
 * Returns the primary code of an extended code: SQLITE_BUSY for SQLITE_BUSY_SNAPSHOT. Returns any other code unchanged.
 */
function primaryCode(code: unknown): string {
  return String(code).replace(/^(SQLITE_[A-Z]+)_.*$/, '$1');
}

/**
 * Converts an error with the property `database` to a FailureError that names this file. Returns other errors
 * unchanged.
 */
export function explainNamedError(error: unknown): unknown {
  if (!(error instanceof Error && 'database' in error)) return error;
  const { path, kind } = error.database as DatabaseFile;
  return explainSqliteError(error, path, kind);
}

/**
 * Converts an SQLite or file system error to a FailureError that names the file of the error, or else the default file.
 * Returns other errors unchanged.
 */
export function explainSqliteError(error: unknown, defaultPath: string, defaultKind: NamedKind): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const { path, kind } =
    'database' in error ? (error.database as DatabaseFile) : { path: defaultPath, kind: defaultKind };
  // Z_… and ZSTD_… are errors of the checksum of packed code. A missing table or column means that the schema was
  // overwritten, and a value of an impossible size that its header was.
  const hasOtherSchema =
    error.code === 'SQLITE_ERROR' && /no such (?:table|column)|has no column named/.test(error.message);
  if (hasOtherSchema || /^Z(?:STD)?_|^SQLITE_(CORRUPT|NOTADB|NOMEM|TOOBIG)/.test(String(error.code)))
    return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
  if (isBusy(error))
    return stop('locked', `${path} is locked by another program. Run again when that program is done.`, error);
  const code = primaryCode(error.code);
  const state = code === 'SQLITE_FULL' ? 'full' : describeDisk(error);
  if (state !== undefined)
    return stop('disk-full', `The disk of ${'path' in error ? error.path : path} is ${state}. ${kind.whenFull}`, error);
  // SQLite reports these codes for a failing disk, and also if the disk has no space for its shared memory.
  if (code === 'SQLITE_IOERR') {
    const message = `The disk of ${path} is full or failing (${error.code}). Free some space or replace the disk, then run again.`;
    return stop('disk-full', message, error);
  }
  if (!UNWRITABLE.test(code)) return error;
  const use = isUnreadable(path) ? 'read' : 'opened for writing';
  const why = `The ${kind.what} ${path} cannot be ${use} (${error.message}).`;
  return stop('index-unwritable', `${why} Check the path and its permissions.`, error);
}

const UNWRITABLE =
  /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|E(ACCES|PERM|ROFS|ISDIR|NOTDIR|NOENT|EXIST|NAMETOOLONG|LOOP))$/;

/** True for an existing file that this user may not read. Reading does not need write access. */
function isUnreadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function corruptMessage(path: string, { what, remedy }: NamedKind, detail: string): string {
  return `The ${what} ${path} is damaged (${detail.replace(/\s+/g, ' ')}). To continue, ${remedy(path)}`;
}
