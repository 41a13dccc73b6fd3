// Opens one of our SQLite files: checks whose it is, sets pragmas, migrates.
import { closeSync, existsSync, mkdirSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { commandLine, shellQuote } from '#model/command-line.ts';
import { stop } from '#model/failure.ts';
import { ImmediateDialect } from './immediate-dialect.ts';
import { corruptMessage, explainSqliteError, type NamedKind } from './sqlite-errors.ts';
import { withStatementCache } from './statement-cache.ts';

/** Identifies a kind of our SQLite files, so that a file of another program is never written to. */
export interface FileKind extends NamedKind {
  /** `PRAGMA application_id`. */
  readonly applicationId: number;
  /** Whether a commit must outlast a power cut, not only a kill. */
  readonly durable?: boolean;
  readonly migrations: Readonly<Record<string, Migration>>;
}

export interface OpenOptions {
  /** Fails with `index-missing` instead of creating the file. */
  readonly mustExist?: boolean;
}

const HEADER = 'SQLite format 3\0';
/** A database is a file, its write-ahead log and the index of the log. */
export const FILE_SUFFIXES = ['', '-wal', '-shm'] as const;
/** A writer of another process holds its lock for one batch at most. */
const BUSY_TIMEOUT_MS = 30_000;
/** SQLite's page cache, in KiB, as a negative number. */
const CACHE_KIB = -16_000;
/** 100 MB of pages in the write-ahead log before they are copied to the file: one that changes often is copied once. */
const CHECKPOINT_PAGES = 25_000;
const MIGRATION_TABLE = 'kysely_migration';
/** Checking the whole file is quick up to this size; in a larger one damage shows when it is read. */
const QUICK_CHECK_MAX_BYTES = 64_000_000;

/** Throws FailureError, changing nothing, if the file is corrupt, another program's, or from a newer stxpress. */
export async function openSqlite<Schema>(
  path: string,
  kind: FileKind,
  options: OpenOptions = {},
): Promise<Kysely<Schema>> {
  const stats = fileStats(path, kind);
  if (stats !== undefined && !stats.isFile())
    throw stop('index-foreign', `${path} is no file, so it is no ${kind.what} of stxpress. Name another.`);
  // An empty file is what SQLite leaves when it is killed before its first page.
  const exists = stats !== undefined && stats.size > 0;
  if (!exists && options.mustExist)
    throw stop(
      'index-missing',
      `There is no ${kind.what} at ${path}. Make one with: ${commandLine('index', `--db ${shellQuote(path)}`)}`,
    );
  try {
    if (exists) inspect(path, kind);
    else mkdirSync(dirname(path), { recursive: true });
    const sqlite = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      if (!exists || isEmpty(sqlite)) sqlite.pragma(`application_id = ${kind.applicationId}`);
      sqlite.pragma('journal_mode = wal');
      sqlite.pragma(`synchronous = ${kind.durable ? 'full' : 'normal'}`);
      sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      sqlite.pragma('foreign_keys = on');
      sqlite.pragma(`cache_size = ${CACHE_KIB}`);
      sqlite.pragma('temp_store = memory');
      const dialect = new ImmediateDialect({ database: withStatementCache(sqlite, { path, kind }) });
      const db = new Kysely<Schema>({ dialect });
      if (doneMigrations(sqlite).length < Object.keys(kind.migrations).length) await migrate(sqlite, db, kind);
      return db;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  } catch (error) {
    throw explainSqliteError(error, path, kind);
  }
}

/** Checks whose file it is, without writing to it. */
function inspect(path: string, kind: FileKind): void {
  const head = readHead(path);
  if (head !== HEADER) {
    throw stop(
      'index-foreign',
      `${path} is not an SQLite database, so it is no ${kind.what} of stxpress. ` +
        `Nothing was changed; name another file or, if it was one before, ${kind.remedy}.`,
    );
  }
  // A writer killed before the write-ahead log was on leaves a rollback journal, which SQLite must write to undo.
  const readonly = !existsSync(`${path}-journal`);
  const sqlite = new Database(path, { readonly, timeout: BUSY_TIMEOUT_MS });
  try {
    if (isEmpty(sqlite)) return;
    if (sqlite.pragma('application_id', { simple: true }) !== kind.applicationId) {
      const message = `${path} is a database of another program, not an ${kind.what} of stxpress.`;
      throw stop('index-foreign', `${message} Nothing was changed; name another file.`);
    }
    const unknown = doneMigrations(sqlite).find((name) => !Object.hasOwn(kind.migrations, name));
    if (unknown !== undefined) {
      const message = `${path} was written by a newer stxpress (it has the migration ${unknown}).`;
      throw stop('index-newer', `${message} Nothing was changed; update stxpress, or name another file.`);
    }
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    const pageSize = sqlite.pragma('page_size', { simple: true }) as number;
    if (pages * pageSize <= QUICK_CHECK_MAX_BYTES) {
      const result = sqlite.pragma('quick_check(1)', { simple: true });
      if (result !== 'ok') throw stop('index-corrupt', corruptMessage(path, kind, String(result)));
    }
  } finally {
    sqlite.close();
  }
}

function tableNames(sqlite: Database.Database): string[] {
  return sqlite.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[];
}

/** Whether a file was created and got no further. */
function isEmpty(sqlite: Database.Database): boolean {
  return sqlite.pragma('application_id', { simple: true }) === 0 && tableNames(sqlite).length === 0;
}

function fileStats(path: string, kind: FileKind): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw explainSqliteError(error, path, kind);
  }
}

function readHead(path: string): string {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEADER.length);
    return head.toString('latin1', 0, readSync(file, head, 0, head.length, 0));
  } finally {
    closeSync(file);
  }
}

function doneMigrations(sqlite: Database.Database): string[] {
  if (!tableNames(sqlite).includes(MIGRATION_TABLE)) return [];
  return sqlite.prepare(`select name from ${MIGRATION_TABLE}`).pluck().all() as string[];
}

/**
 * In one transaction: kysely opens none for SQLite, and a kill would leave half the tables. Foreign keys are checked at
 * its end, so that a table can be replaced.
 */
async function migrate<Schema>(sqlite: Database.Database, db: Kysely<Schema>, kind: FileKind): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...kind.migrations }) } });
  sqlite.pragma('foreign_keys = off');
  sqlite.exec('begin immediate');
  try {
    const { error } = await migrator.migrateToLatest();
    if (error !== undefined) throw error;
    const broken = sqlite.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0)
      throw new Error(`A migration broke ${broken.length} references: ${JSON.stringify(broken[0])}`);
    sqlite.exec('commit');
  } catch (error) {
    if (sqlite.inTransaction) sqlite.exec('rollback');
    throw error;
  } finally {
    sqlite.pragma('foreign_keys = on');
  }
}
