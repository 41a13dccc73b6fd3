// The kysely dialect for an open SQLite database: writers lock before they read, and each statement is prepared once.
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import QuickLRU from 'quick-lru';
import type { ReadableDatabase } from './open-to-read.ts';
import { type DatabaseFile, isSqliteError } from './sqlite-errors.ts';

/** The number of cached statements: enough for about a hundred statements with lists of several lengths. */
const MAX_STATEMENTS = 200;

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  *iterate() {},
};

/**
 * Begins transactions as a writer unless they are read-only. A transaction that begins as a reader and writes later
 * fails if another process wrote in between.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const isReader = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(isReader ? 'begin' : 'begin immediate'));
  }
}

export function dialectFor(sqlite: ReadableDatabase, file: DatabaseFile): SqliteDialect {
  const database = withStatementCache(sqlite, file);
  const dialect = new SqliteDialect({ database });
  dialect.createDriver = () => new ImmediateDriver({ database });
  return dialect;
}

/** Prepares each statement once. Without this, kysely would prepare it for every execution. */
function withStatementCache(sqlite: ReadableDatabase, file: DatabaseFile) {
  const statements = new QuickLRU<string, SqliteStatement>({ maxSize: MAX_STATEMENTS });
  const withFile = <T>(use: () => T): T => {
    try {
      return use();
    } catch (error) {
      throw isSqliteError(error) ? Object.assign(error as Error, { database: file }) : error;
    }
  };
  return {
    prepare(text: string): SqliteStatement {
      // SQLite rolls back on its own when the disk is full. A second rollback, by kysely, would hide that error.
      if (text === 'rollback' && !sqlite.inTransaction) return NOTHING_TO_DO;
      let statement = statements.get(text);
      if (statement === undefined) {
        const prepared = withFile(() => sqlite.prepare(text)) as SqliteStatement;
        statement = {
          reader: prepared.reader,
          all: (parameters) => withFile(() => prepared.all(parameters)),
          run: (parameters) => withFile(() => prepared.run(parameters)),
          iterate: (parameters) => prepared.iterate(parameters),
        };
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => void sqlite.close(),
  };
}
