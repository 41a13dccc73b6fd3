// Queries about listed tokens: the values in an API's token list.

import type { GetterResult } from '#model/token.ts';
import { excluded, readStoredJson } from '#sqlite/columns.ts';
import { insertRows, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

export async function writeListedTokens(
  store: StoreWriter,
  tokens: readonly { readonly contractId: string; readonly results: readonly GetterResult[] }[],
): Promise<void> {
  const rows = tokens.map(({ contractId, results }) => ({ contract_id: contractId, results: JSON.stringify(results) }));
  await insertRows(store, 'listed_token', rows, (conflict) => conflict.doUpdateSet(excluded('results')));
}

export async function readListedTokens(store: StoreReader, contractIds: readonly string[]) {
  const rows = await rowsWith(store, 'listed_token', 'contract_id', contractIds);
  return new Map(rows.map((row) => [row.contract_id, readStoredJson<GetterResult[]>(row.results, 'a listed token')]));
}
