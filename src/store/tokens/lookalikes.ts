// Queries about tokens whose symbol or name looks like that of a token that was deployed before.

import { excluded } from '#sqlite/columns.ts';
import { insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';

/** The first tokens with the same symbol and with a similar name; undefined if the token itself is the first. */
export interface Lookalikes<Id> {
  readonly symbolOf: Id | undefined;
  readonly nameOf: Id | undefined;
}

/** Stores the lookalikes of all tokens, and changes only rows that differ. */
export async function writeLookalikes(
  store: StoreWriter,
  lookalikes: ReadonlyMap<number, Lookalikes<number>>,
): Promise<void> {
  const stored = await store.selectFrom('lookalike').selectAll().execute();
  const gone = stored.flatMap(({ token_id: tokenId }) => (lookalikes.has(tokenId) ? [] : [tokenId]));
  await store.deleteFrom('lookalike').where('token_id', 'in', listed(gone)).execute();
  const before = new Map(stored.map((row) => [row.token_id, row]));
  const rows = [...lookalikes].flatMap(([tokenId, { symbolOf = null, nameOf = null }]) => {
    const row = before.get(tokenId);
    const isSame = row?.symbol_of === symbolOf && row.name_of === nameOf;
    return isSame ? [] : [{ token_id: tokenId, symbol_of: symbolOf, name_of: nameOf }];
  });
  await insertRows(store, 'lookalike', rows, (conflict) => conflict.doUpdateSet(excluded('symbol_of', 'name_of')));
}

/** Returns the contract ids of the lookalikes of these tokens. */
export async function readLookalikes(
  store: StoreReader,
  tokenIds: readonly number[],
): Promise<Map<number, Lookalikes<string>>> {
  const rows = await rowsWith(store, 'lookalike', 'token_id', tokenIds);
  const ids = rows.flatMap(({ symbol_of: symbolOf, name_of: nameOf }) => [symbolOf ?? [], nameOf ?? []].flat());
  // A token that is no longer served stays named until the end of the next run.
  const contracts = await store
    .selectFrom('token')
    .innerJoin('deploy', 'deploy.deploy_id', 'token.deploy_id')
    .select(['token_id as tokenId', 'contract_id as contractId'])
    .where('token_id', 'in', listed([...new Set(ids)]))
    .execute();
  const contractOf = new Map(contracts.map(({ tokenId, contractId }) => [tokenId, contractId]));
  return new Map(
    rows.map((row) => [
      row.token_id,
      { symbolOf: contractOf.get(row.symbol_of ?? -1), nameOf: contractOf.get(row.name_of ?? -1) },
    ]),
  );
}
