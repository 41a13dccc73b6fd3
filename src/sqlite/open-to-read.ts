// Opens a database that this process may not write: beside its writer, or else the file alone.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import type { SqliteStatement } from 'kysely';
import { stop } from '#model/failure.ts';
import type { NamedKind } from './sqlite-errors.ts';

/** The common part of both libraries. */
export interface ReadableDatabase {
  prepare(text: string): unknown;
  readonly inTransaction: boolean;
  close(): unknown;
}

/** SQLite creates files beside a database even to read it. */
export function mayWrite(path: string): boolean {
  try {
    for (const each of [path, dirname(resolve(path))]) accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Throws FailureError `index-unwritable` if a writer was killed, since only a writer can repair that. */
export function openToRead(path: string, { what }: NamedKind): ReadableDatabase {
  const sqlite = new Database(path, { readonly: true });
  try {
    sqlite.pragma('schema_version');
    return sqlite;
  } catch {
    sqlite.close();
  }
  const left = ['-wal', '-journal'].find(
    (suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (left !== undefined)
    throw stop(
      'index-unwritable',
      `The last changes of the ${what} ${path} are in ${path}${left}; reading them needs write access to both files. ` +
        'Run this as the user who wrote them, or copy both files to your own folder.',
    );
  return openImmutable(path);
}

/** Uses the SQLite of Node: better-sqlite3 is compiled without URI support, and so without `immutable`. */
function openImmutable(path: string): ReadableDatabase {
  const url = pathToFileURL(resolve(path));
  url.searchParams.set('immutable', '1');
  const changedAt = () => statSync(path).mtimeMs;
  const openedAt = changedAt();
  const sqlite = named(() => new DatabaseSync(url, { readOnly: true }));
  return {
    prepare(text: string): SqliteStatement {
      const statement = named(() => sqlite.prepare(text));
      const all = (parameters: readonly unknown[] = []) => {
        const rows = named(() => statement.all(...(parameters as (string | number | null)[])));
        if (changedAt() !== openedAt) throw stop('locked', `${path} was changed while it was read. Run it again.`);
        return rows.map(withBuffers);
      };
      return {
        reader: statement.columns().length > 0,
        all,
        run: (parameters) => named(() => statement.run(...(parameters as (string | number | null)[]))),
        iterate: (parameters) => all(parameters).values(),
      };
    },
    get inTransaction() {
      return sqlite.isTransaction;
    },
    close: () => sqlite.close(),
  };
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  const values = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value,
  ]);
  return Object.fromEntries(values);
}

/** Converts errors to those of better-sqlite3: SQLite's own codes say what to do. */
function named<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error)) throw error;
    const isDamaged = [11, 26].includes(Number(error.errcode) & 0xff);
    throw Object.assign(error, { code: isDamaged ? 'SQLITE_CORRUPT' : 'SQLITE_CANTOPEN' });
  }
}
