// Converts between database columns and the model: flags, hashes, JSON, and the `excluded` values of an upsert.
import { type RawBuilder, sql } from 'kysely';

export function toFlag(value: boolean | undefined): 0 | 1 {
  return value ? 1 : 0;
}

/** Converts a hash from hex with a 0x prefix, as in the model, to a blob, as in the database. */
export function hashToBlob(hash: string): Buffer {
  return Buffer.from(hash.slice(2), 'hex');
}

export function hashFromBlob(blob: Buffer): string {
  return `0x${blob.toString('hex')}`;
}

/** Replaces null by undefined in all columns of a row. */
export function withoutNulls<Row extends object>(row: Row): { [Name in keyof Row]: OrUndefined<Row[Name]> } {
  const entries = Object.entries(row).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(entries) as { [Name in keyof Row]: OrUndefined<Row[Name]> };
}

type OrUndefined<Value> = null extends Value ? Exclude<Value, null> | undefined : Value;

/**
 * Parses stored JSON. If the JSON is invalid, throws the error that SQLite throws for a damaged page. `what`: the name
 * of the JSON in the message.
 */
export function readStoredJson<T>(text: string, what: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    throw damagedRow(what, error);
  }
}

/** Returns the error that SQLite throws for a damaged page. `what` is the subject of its message. */
export function damagedRow(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`${what} is not valid`, { cause }), { code: 'SQLITE_CORRUPT' });
}

/** Returns assignments for an upsert that set the columns of an existing row to the new values. */
export function excluded<Column extends string>(...columns: Column[]): { readonly [C in Column]: RawBuilder<never> } {
  const entries = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
  return Object.fromEntries(entries) as { [C in Column]: RawBuilder<never> };
}
