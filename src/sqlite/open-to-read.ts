// Opens a database that this process may not write. Shares it with its writer if one is running, and otherwise reads
// only the file.
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import type { SqliteStatement } from 'kysely';
import { stop } from '#model/failure.ts';
import type { NamedKind } from './sqlite-errors.ts';

/** The methods that better-sqlite3 and node:sqlite have in common. */
export interface ReadableDatabase {
  prepare(text: string): unknown;
  readonly inTransaction: boolean;
  close(): unknown;
}

/** True if the file and its folder are writable. SQLite creates files next to a database even to read it. */
export function mayWrite(path: string): boolean {
  try {
    for (const written of [path, dirname(resolve(path))]) accessSync(written, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a database for reading. Throws FailureError `index-unwritable` if a writer was killed, since only a writer can
 * repair the file.
 */
export function openToRead(path: string, { what }: NamedKind): ReadableDatabase {
  const sqlite = new Database(path, { readonly: true });
  try {
    sqlite.pragma('schema_version');
    return sqlite;
  } catch {
    sqlite.close();
  }
  const leftover = ['-wal', '-journal'].find(
    (suffix) => (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (leftover !== undefined)
    throw stop(
      'index-unwritable',
      `The last changes of the ${what} ${path} are in ${path}${leftover}. Reading them needs write access to both files. ` +
        'Run this as the user who wrote them, or copy both files to your own folder.',
    );
  return openImmutable(path);
}

/**
 * Opens a file that no process changes, with the SQLite of Node. better-sqlite3 does not support URIs, which
 * `immutable` requires.
 */
function openImmutable(path: string): ReadableDatabase {
  const url = pathToFileURL(resolve(path));
  url.searchParams.set('immutable', '1');
  const changedAt = () => statSync(path).mtimeMs;
  const openedAt = changedAt();
  const sqlite = withCode(() => new DatabaseSync(url, { readOnly: true }));
  return {
    prepare(text: string): SqliteStatement {
      const statement = withCode(() => sqlite.prepare(text));
      const all = (parameters: readonly unknown[] = []) => {
        const rows = withCode(() => statement.all(...(parameters as (string | number | null)[])));
        if (changedAt() !== openedAt)
          throw stop('locked', `${path} was changed while it was read. Run the command again.`);
        return rows.map(withBuffers);
      };
      return {
        reader: statement.columns().length > 0,
        all,
        run: (parameters) => withCode(() => statement.run(...(parameters as (string | number | null)[]))),
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

/** Runs `use`, and gives its errors the codes of better-sqlite3. Node reports SQLite's numeric codes. */
function withCode<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error)) throw error;
    const isDamaged = [11, 26].includes(Number(error.errcode) & 0xff);
    throw Object.assign(error, { code: isDamaged ? 'SQLITE_CORRUPT' : 'SQLITE_CANTOPEN' });
  }
}
