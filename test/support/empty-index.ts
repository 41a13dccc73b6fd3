// Empties an index, so that the next test can use it, since opening an index takes longer than most tests.
import { sql } from 'kysely';
import type { Store } from '#store/index-database.ts';

/** Tables that stay unchanged: the identity of the index file, and the ledger. */
const PRESERVED_TABLES = new Set(['info', 'ledger']);

export async function emptyIndex(store: Store): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(store);
  for (const { name, isView } of await store.introspection.getTables())
    if (!isView && !PRESERVED_TABLES.has(name)) await sql`delete from ${sql.table(name)}`.execute(store);
  await sql`pragma foreign_keys = on`.execute(store);
}
