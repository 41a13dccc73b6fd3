// Kysely dialect for SQLite whose transactions wait for the write lock before they read.
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely';

/**
 * Begins every transaction except read-only ones as a writer. A transaction that reads first is refused when it writes,
 * if another process wrote in between: its snapshot is outdated, and waiting does not help.
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
