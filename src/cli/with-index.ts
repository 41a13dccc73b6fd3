// Opens an index for as long as a command uses it, and explains what SQLite says of it.

import type { OpenOptions } from '#sqlite/open-sqlite.ts';
import { explainSqliteError } from '#sqlite/sqlite-errors.ts';
import { INDEX_FILE, openIndex, type Store } from '#store/index-database.ts';

export async function withIndex<Result>(
  db: string,
  use: (store: Store) => Promise<Result>,
  options?: OpenOptions,
): Promise<Result> {
  try {
    const store = await openIndex(db, options);
    try {
      return await use(store);
    } finally {
      await store.destroy();
    }
  } catch (error) {
    throw explainSqliteError(error, db, INDEX_FILE);
  }
}
