// Reads the change ledger: what of all that is served changed after a revision. Triggers write it (migrations/0009-ledger.ts).
import type { StoreReader } from './index-database.ts';
import type { Entity } from './schema.ts';

export type { Entity } from './schema.ts';

/** The revision of the last change: an index is as it was while this is. */
export async function lastRevision(store: StoreReader): Promise<number> {
  const row = await store
    .selectFrom('ledger')
    .select((eb) => eb.fn.max('revision').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The entities that contracts have: their own, and those of their tokens. */
export const CONTRACT_ENTITIES = ['contract', 'token', 'work'] as const satisfies readonly Entity[];

/** Ids of the contracts of which one of these entities changed after a revision, each with those that did, by code units. */
export async function changedContracts(
  store: StoreReader,
  sinceRevision: number,
  entities: readonly (typeof CONTRACT_ENTITIES)[number][] = CONTRACT_ENTITIES,
): Promise<Map<string, Entity[]>> {
  const changes = store.selectFrom('ledger').where('revision', '>', sinceRevision).where('entity', 'in', entities);
  // The few that changed first: SQLite keeps to the order of a cross join.
  const ofContracts = await changes
    .crossJoin('contract')
    .where('entity', '=', 'contract')
    .whereRef('contract.contract_key', '=', 'ledger.key')
    .select(['contract.contract_id', 'entity'])
    .execute();
  const ofTokens = await changes
    .crossJoin('token')
    .where('entity', 'in', ['token', 'work'])
    .whereRef('token.token_id', '=', 'ledger.key')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['contract.contract_id', 'entity'])
    .execute();
  const byId = Map.groupBy([...ofContracts, ...ofTokens], (row) => row.contract_id);
  const sorted = [...byId].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(sorted.map(([contractId, rows]) => [contractId, rows.map(({ entity }) => entity)]));
}
