// Queries about listed tokens: the values in an API's token list.

import { type GetterAnswer, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { excluded } from '#sqlite/columns.ts';
import { insertRows, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { ListedTokenTable } from '../schema/contracts.ts';

const COLUMNS: Readonly<Record<TokenGetter, Exclude<keyof ListedTokenTable, 'contract_id'>>> = {
  'get-name': 'name',
  'get-symbol': 'symbol',
  'get-decimals': 'decimals',
  'get-total-supply': 'total_supply',
  'get-token-uri': 'token_uri',
};

export async function writeListedTokens(
  store: StoreWriter,
  tokens: readonly { readonly contractId: string; readonly answers: readonly GetterAnswer[] }[],
): Promise<void> {
  const rows = tokens.map(({ contractId, answers }) => {
    const values = TOKEN_GETTERS.map((getter) => {
      return [COLUMNS[getter], answers.find((answer) => answer.getter === getter)?.value ?? null];
    });
    return { contract_id: contractId, ...(Object.fromEntries(values) as Omit<ListedTokenTable, 'contract_id'>) };
  });
  await insertRows(store, 'listed_token', rows, (conflict) =>
    conflict.column('contract_id').doUpdateSet(excluded(...Object.values(COLUMNS))),
  );
}

/** Answers by contract id. */
export async function readListedTokens(
  store: StoreReader,
  contractIds: readonly string[],
): Promise<Map<string, GetterAnswer[]>> {
  const rows = await rowsWith(store, 'listed_token', 'contract_id', contractIds);
  const answersIn = (row: ListedTokenTable) =>
    TOKEN_GETTERS.flatMap((getter) => {
      const value = row[COLUMNS[getter]];
      return value === null ? [] : [{ getter, value }];
    });
  return new Map(rows.map((row) => [row.contract_id, answersIn(row)]));
}
