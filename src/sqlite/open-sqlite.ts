// Opens an SQLite file of this project: checks its kind and version, sets pragmas, and creates a missing file.
import { createHash } from 'node:crypto';
import { closeSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, type SqliteStatement } from 'kysely';
import { createFolder } from '#files/folders.ts';
import { openRegular } from '#files/open-regular.ts';
import { stop } from '#model/failure.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { dialectFor } from './dialect.ts';
import { mayWrite, openToRead, type ReadableDatabase } from './open-to-read.ts';
import { explainSqliteError, type NamedKind } from './sqlite-errors.ts';

/** A kind of SQLite file of this project. Its application id prevents writes to a file of another program. */
export interface FileKind extends NamedKind {
  readonly applicationId: number;
  /** True if a commit must survive a power cut as well as a kill. */
  readonly durable?: boolean;
  /** The statements that create the file. A file that was created with other statements is rejected. */
  readonly schema: readonly string[];
}

export interface OpenOptions {
  /** True to throw `index-missing` instead of creating the file. */
  readonly mustExist?: boolean;
  /** True to open the file read-only if this process may not write it. */
  readonly readOnly?: boolean;
}

const HEADER = 'SQLite format 3\0';
/** Suffixes of a database's files: the database, its write-ahead log, and the index of the log. */
export const FILE_SUFFIXES = ['', '-wal', '-shm'] as const;
/** The time to wait for a lock. A writer in another process holds its lock for at most one batch. */
const BUSY_TIMEOUT_MS = 30_000;
/** The size of SQLite's page cache, as a negative number of KiB. */
const CACHE_KIB = -16_000;
/**
 * The number of pages in the write-ahead log (100 MB) at which they are copied to the database. In a large log, a page
 * that changes often is copied only once.
 */
const CHECKPOINT_PAGES = 25_000;
/**
 * Opens or creates a file. Throws FailureError, without changing the file, if it belongs to another program or version.
 * Damage is found when a query reads the damaged part.
 */
export async function openSqlite<Schema>(
  path: string,
  kind: FileKind,
  options: OpenOptions = {},
): Promise<Kysely<Schema>> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile())
      throw stop('index-foreign', `${path} is not a file, so it cannot be the ${kind.what}. Name another path.`);
    // SQLite leaves an empty file if it is killed before it writes the first page.
    const exists = stats !== undefined && stats.size > 0;
    if (!exists && options.mustExist)
      throw stop(
        'index-missing',
        `There is no ${kind.what} at ${path}. Create one with: ` +
          commandLine('index', `--db ${shellQuote(path)} --archive FILE`),
      );
    const isReadOnly = options.readOnly === true && exists && !mayWrite(path);
    if (exists) checkHeader(path, kind);
    else createFolder(dirname(path));
    const sqlite = isReadOnly ? openToRead(path, kind) : new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      const isNew = isEmpty(sqlite);
      if (!isNew) checkKind(sqlite, path, kind);
      if (sqlite instanceof Database && !isReadOnly) {
        sqlite.pragma('journal_mode = wal');
        sqlite.pragma(`synchronous = ${kind.durable ? 'full' : 'normal'}`);
        sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
        sqlite.pragma('foreign_keys = on');
        sqlite.pragma(`cache_size = ${CACHE_KIB}`);
        sqlite.pragma('temp_store = memory');
        if (isNew) create(sqlite, kind);
      }
      return new Kysely({ dialect: dialectFor(sqlite, { path, kind }) });
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    throw explainSqliteError(error, path, kind);
  }
}

/** Throws FailureError `index-foreign` for a file that is not an SQLite database. Reads only the header. */
function checkHeader(path: string, kind: FileKind): void {
  if (readHead(path) === HEADER) return;
  throw stop(
    'index-foreign',
    `${path} is not an SQLite database, so it is not the ${kind.what} of stxpress. ` +
      `Nothing was changed. Name another file or, if this was the ${kind.what}, ${kind.remedy(path)}`,
  );
}

/** Throws a FailureError for a database of another program or version. */
function checkKind(sqlite: ReadableDatabase, path: string, kind: FileKind): void {
  if (readPragma(sqlite, 'application_id') !== kind.applicationId) {
    const message = `${path} is a database of another program, not the ${kind.what} of stxpress.`;
    throw stop('index-foreign', `${message} Nothing was changed. Name another file.`);
  }
  if (readPragma(sqlite, 'user_version') !== versionOf(kind)) {
    const message = `The ${kind.what} ${path} was made by another version of stxpress, with other tables.`;
    const advice = `Use that version, or ${kind.remedy(path)}`;
    throw stop('index-version', `${message} Nothing was changed. ${advice}`);
  }
}

function readValue(sqlite: ReadableDatabase, text: string): unknown {
  const [row] = (sqlite.prepare(text) as SqliteStatement).all([]) as Record<string, unknown>[];
  return Object.values(row ?? {})[0];
}

export function readPragma(sqlite: ReadableDatabase, name: string): unknown {
  return readValue(sqlite, `pragma ${name}`);
}

/** True if the file has neither tables nor an application id yet. */
function isEmpty(sqlite: ReadableDatabase): boolean {
  const tables = `select count(*) from sqlite_master where type = 'table'`;
  return readPragma(sqlite, 'application_id') === 0 && readValue(sqlite, tables) === 0;
}

function readHead(path: string): string {
  const { descriptor } = openRegular(path);
  try {
    const head = Buffer.alloc(HEADER.length);
    return head.toString('latin1', 0, readSync(descriptor, head, 0, head.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** Returns a number derived from the statements of the schema, for `PRAGMA user_version`. */
function versionOf({ schema }: FileKind): number {
  return (createHash('sha256').update(schema.join(';')).digest().readUInt32BE() >>> 1) | 1;
}

/**
 * Creates the tables in one transaction, so that a kill does not leave only some of them. Does nothing if another
 * process has created them.
 */
function create(sqlite: Database.Database, kind: FileKind): void {
  sqlite
    .transaction(() => {
      if (!isEmpty(sqlite)) return;
      for (const statement of kind.schema) sqlite.exec(statement);
      sqlite.pragma(`application_id = ${kind.applicationId}`);
      sqlite.pragma(`user_version = ${versionOf(kind)}`);
    })
    .immediate();
}
