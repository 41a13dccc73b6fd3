// What an upsert sets columns to when the row exists: the values of the row that it would have inserted.
import { type RawBuilder, sql } from 'kysely';

export function excluded<Column extends string>(...columns: Column[]): { readonly [C in Column]: RawBuilder<never> } {
  const entries = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return Object.fromEntries(entries) as { [C in Column]: RawBuilder<never> };
}
