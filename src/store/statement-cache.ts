// Keeps prepared statements for kysely, which prepares every statement anew: there are a hundred forms of them, and as many
// lengths of value lists.
import type Database from 'better-sqlite3';
import type { SqliteStatement } from 'kysely';
import { type DatabaseFile, isSqliteError } from './sqlite-errors.ts';

const MAX_STATEMENTS = 200;

const NOTHING_TO_DO: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  *iterate() {},
};

/** A database as kysely uses one; its errors name the file. */
export function withStatementCache(sqlite: Database.Database, file: DatabaseFile) {
  const statements = new Map<string, SqliteStatement>();
  const named = <T>(use: () => T): T => {
    try {
      return use();
    } catch (error) {
      throw isSqliteError(error) ? Object.assign(error as Error, { database: file }) : error;
    }
  };
  return {
    prepare(text: string): SqliteStatement {
      // A full disk makes SQLite roll back by itself; kysely's own rollback would then hide that error behind another.
      if (text === 'rollback' && !sqlite.inTransaction) return NOTHING_TO_DO;
      let statement = statements.get(text);
      if (statement === undefined) {
        const prepared = named(() => sqlite.prepare(text)) as unknown as SqliteStatement;
        statement = {
          reader: prepared.reader,
          all: (parameters) => named(() => prepared.all(parameters)),
          run: (parameters) => named(() => prepared.run(parameters)),
          iterate: (parameters) => prepared.iterate(parameters),
        };
        if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value as string);
        statements.set(text, statement);
      }
      return statement;
    },
    close: () => {
      sqlite.close();
    },
  };
}
