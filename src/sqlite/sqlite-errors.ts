// Explains SQLite and disk errors: which file failed, and what to do.
import { FailureError, stop } from '#model/failure.ts';

/** How messages name a kind of file. */
export interface NamedKind {
  /** `index`. */
  readonly what: string;
  /** Advice for a damaged file. */
  readonly remedy: string;
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

/** True if another connection held the lock. */
export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && BUSY_CODES.has(primaryCode((error as { code?: unknown }).code));
}

const BUSY_CODES: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED', 'SQLITE_PROTOCOL']);

/** Maps SQLITE_BUSY_SNAPSHOT to SQLITE_BUSY; returns other codes unchanged. */
function primaryCode(code: unknown): string {
  return String(code).replace(/^(SQLITE_[A-Z]+)_.*$/, '$1');
}

/** Converts an SQLite or file system error to a FailureError that names the file: the error's own, or the given one. */
export function explainSqliteError(error: unknown, ofPath: string, ofKind: NamedKind): unknown {
  if (error instanceof FailureError || !(error instanceof Error) || !('code' in error)) return error;
  const { path, kind } = 'database' in error ? (error.database as DatabaseFile) : { path: ofPath, kind: ofKind };
  // Packed code has a checksum (Z_…, ZSTD_…), unlike SQLite's pages; a missing table or column was overwritten.
  const hasOtherSchema =
    error.code === 'SQLITE_ERROR' && /no such (?:table|column)|has no column named/.test(error.message);
  if (hasOtherSchema || /^Z(?:STD)?_/.test(String(error.code)))
    return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
  if (isBusy(error)) return stop('locked', `${path} is held by another program. Run again when it is released.`, error);
  switch (primaryCode(error.code)) {
    case 'SQLITE_CORRUPT':
    case 'SQLITE_NOTADB':
      return stop('index-corrupt', corruptMessage(path, kind, error.message), error);
    case 'SQLITE_FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return stop('disk-full', `The disk of ${'path' in error ? error.path : path} is full. ${kind.whenFull}`, error);
    // Without room for its shared memory, SQLite reports codes of this kind, as for a failing disk.
    case 'SQLITE_IOERR':
      return stop(
        'disk-full',
        `The disk of ${path} is full or failing (${error.code}). Free some space or replace it, and run again.`,
        error,
      );
    case 'SQLITE_READONLY':
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
      return error;
  }
}

export function corruptMessage(path: string, { what, remedy }: NamedKind, detail: string): string {
  return `The ${what} ${path} is damaged (${detail.replace(/\s+/g, ' ')}). Nothing was changed; ${remedy}.`;
}
