// Reads the ids of all canonical contracts, sorted by address or by name.

import { sql } from 'kysely';
import { countRows } from '#sqlite/aggregates.ts';
import { inOrderOf, inPages } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';
import { LOWER_NAME } from '../schema/contracts.ts';
import { CONTRACT_NAMES } from '../schema/ledger.ts';

const PAGE_ROWS = 5_000;

export interface NamedContract {
  readonly contractId: string;
  /** The contract's name in lower case. */
  readonly lowerName: string;
}

/** Contracts that are not on the canonical chain are few, and indexed: a column of each row would be read slower. */
const IS_CANONICAL = sql<boolean>`not exists (
  select 1 from contract as other where other.contract_id = contract.contract_id and other.canonical = 0)`;

/** True if canonical contracts were added or removed after a revision of the ledger. */
export async function haveNamesChanged(store: StoreReader, sinceRevision: number): Promise<boolean> {
  const names = store.selectFrom('ledger').where('entity', '=', 'status').where('key', '=', CONTRACT_NAMES);
  return (await countRows(names.where('revision', '>', sinceRevision))) > 0;
}

/** Yields pages of contract ids, sorted by address, then by name. */
export async function* contractIdsInOrder(store: StoreReader): AsyncGenerator<string[]> {
  const contracts = store.selectFrom('contract').select('contract_id').where(IS_CANONICAL);
  for await (const rows of inOrderOf(contracts, 'contract_id', 'contract_id', PAGE_ROWS))
    yield rows.map((row) => row.contract_id);
}

/** Yields pages of contracts, sorted by lower-case name, then by id. */
export async function* contractsByName(store: StoreReader): AsyncGenerator<NamedContract[]> {
  const name = sql<string>`${sql.raw(LOWER_NAME)}`;
  yield* inPages(
    (after) =>
      store
        .selectFrom('contract')
        .select(['contract_id as contractId', name.as('lowerName')])
        // This condition makes SQLite seek in the index. With only the next condition, SQLite would scan the index from
        // its start.
        .where(name, '>=', after.lowerName)
        .where(sql<boolean>`(${name}, contract_id) > (${after.lowerName}, ${after.contractId})`)
        .where(IS_CANONICAL)
        .orderBy(name)
        .orderBy('contract_id')
        .limit(PAGE_ROWS)
        .execute(),
    (row): NamedContract => row,
    { lowerName: '', contractId: '' },
  );
}
