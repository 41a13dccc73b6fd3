// Empties an index that a test uses again: opening one takes longer than most tests do.
import { sql } from 'kysely';
import type { Store } from '#store/index-database.ts';

/** Leaves what says whose file it is, and the ledger. */
const KEPT = new Set(['info', 'ledger']);

export async function emptyIndex(store: Store): Promise<void> {
  await sql`pragma foreign_keys = off`.execute(store);
  for (const { name, isView } of await store.introspection.getTables())
    if (!isView && !KEPT.has(name)) await sql`delete from ${sql.table(name)}`.execute(store);
  await sql`pragma foreign_keys = on`.execute(store);
}
