// Explains errors of SQLite and of the disk: which file failed, and what to do.
import { FailureError, stop } from '#model/failure.ts';

/** How messages name a kind of file. */
export interface NamedKind {
  /** `index`. */
  readonly what: string;
  /** What to do with a damaged one. */
  readonly remedy: string;
}

/** The file of an error: a build has two databases open. */
export interface DatabaseFile {
  readonly path: string;
  readonly kind: NamedKind;
}

export function isSqliteError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

/** Turns an error of SQLite or the file system into a FailureError that names the file: its own, or the given one. */
export function explainSqliteError(error: unknown, ofPath: string, ofKind: NamedKind): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const { path, kind } = 'database' in error ? (error.database as DatabaseFile) : { path: ofPath, kind: ofKind };
  // Packed code has a checksum (Z_…), unlike SQLite's pages; a missing table or column was overwritten.
  const hasOtherSchema =
    error.code === 'SQLITE_ERROR' && /no such (?:table|column)|has no column named/.test(error.message);
  if (hasOtherSchema || String(error.code).startsWith('Z_'))
    return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
  switch (error.code) {
    case 'SQLITE_CORRUPT':
    case 'SQLITE_CORRUPT_VTAB':
    case 'SQLITE_CORRUPT_INDEX':
    case 'SQLITE_CORRUPT_SEQUENCE':
    case 'SQLITE_NOTADB':
      return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
    case 'SQLITE_FULL':
    case 'ENOSPC':
      return stop(
        'disk-full',
        `The disk of ${path} is full. Everything up to the last batch is stored; make room and run again.`,
        error,
      );
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return stop('locked', `${path} is held by another program. Run again when it is free.`, error);
    case 'SQLITE_READONLY':
    case 'SQLITE_READONLY_DIRECTORY':
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_PERM':
    case 'SQLITE_AUTH':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'EISDIR':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'ENAMETOOLONG':
    case 'ELOOP':
      return stop(
        'index-unwritable',
        `The ${kind.what} ${path} cannot be opened for writing (${error.message}). Check the path and its permissions.`,
        error,
      );
    default:
      // A full or failing disk has only extended codes (SQLITE_IOERR_WRITE …).
      if (String(error.code).startsWith('SQLITE_IOERR')) {
        return stop(
          'disk-full',
          `The disk of ${path} is full or failing (${error.code}). Everything up to the last batch is stored.`,
          error,
        );
      }
      return error;
  }
}

export function corruptMessage(path: string, { what, remedy }: NamedKind, detail: string): string {
  return `The ${what} ${path} is damaged (${detail.replace(/\s+/g, ' ')}). Nothing was changed; ${remedy}.`;
}
