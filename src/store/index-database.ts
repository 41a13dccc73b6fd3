// Opens the index, the SQLite file that the indexer and the build share.

import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { readValues } from '#sqlite/info.ts';
import { type FileKind, type OpenOptions, openSqlite } from '#sqlite/open-sqlite.ts';
import { commandLine, shellQuote } from '#text/command-line.ts';
import { SCHEMA, type Schema } from './schema/schema.ts';

export type Store = Kysely<Schema>;
export type StoreReader = Kysely<Schema> | Transaction<Schema>;
export type StoreWriter = Transaction<Schema>;

export const INDEX_FILE: FileKind = {
  what: 'index',
  remedy: (path) =>
    `make a new index from its sources: ${commandLine('index', `--rebuild --db ${shellQuote(path)} --archive FILE`)}`,
  whenFull: 'Stored data stays. Free some space, then run again.',
  applicationId: 0x53545058, // "STPX"
  schema: SCHEMA,
};

/** Throws a FailureError for an index that is missing, foreign, of another version, corrupt or not writable. */
export async function openIndex(path: string, options: OpenOptions = {}): Promise<Store> {
  const store = await openSqlite<Schema>(path, INDEX_FILE, options);
  // Returns early if the index has an id: nothing is written, because an index run may be writing to it.
  if (options.readOnly === true || (await readValues(store)).index_id !== undefined) return store;
  await store
    .insertInto('info')
    .values({ key: 'index_id', value: randomUUID() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return store;
}
