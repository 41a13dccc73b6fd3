// Kysely's dialect for SQLite, with transactions that wait for their turn to write before they read.
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';

/**
 * Every transaction but a read-only one begins as a writer. One that read first would be refused when it writes, if
 * another process had written in between: what it has read is outdated, and no waiting mends that.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings?: TransactionSettings): Promise<void> {
    const isReader = settings?.accessMode === 'read only';
    await connection.executeQuery(CompiledQuery.raw(isReader ? 'begin' : 'begin immediate'));
  }
}

export class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#config);
  }
}
