// Reads the change ledger: served entities that changed after a revision. Triggers write it (schema/ledger.ts).
import { sql } from 'kysely';
import { countBy, highest } from '#sqlite/aggregates.ts';
import type { StoreReader } from '../index-database.ts';
import type { Entity } from '../schema/ledger.ts';

export type { Entity } from '../schema/ledger.ts';

/** The plus keeps SQLite from reading all entities of a kind by their index: few rows are newer than a revision. */
const ENTITY = sql<Entity>`+entity`;

/** The revision of the last change. While it stays the same, so does everything that is served. */
export function lastRevision(store: StoreReader): Promise<number> {
  return highest(store, 'ledger', 'revision');
}

/** Counts the entities of each kind that changed after a revision; kinds without changes are left out. */
export function countChanges(store: StoreReader, sinceRevision: number): Promise<Partial<Record<Entity, number>>> {
  return countBy(store.selectFrom('ledger').where('revision', '>', sinceRevision), 'entity');
}

/** The entities that belong to a contract. */
const CONTRACT_ENTITIES = ['contract', 'token', 'collection', 'work'] as const satisfies readonly Entity[];

/** Entities that changed after a revision, by contract id, sorted. */
export async function changedContracts(
  store: StoreReader,
  sinceRevision: number,
  entities: readonly (typeof CONTRACT_ENTITIES)[number][] = CONTRACT_ENTITIES,
): Promise<Map<string, Entity[]>> {
  const changes = store.selectFrom('ledger').where('revision', '>', sinceRevision).where(ENTITY, 'in', entities);
  // The cross joins make SQLite start from the few rows that changed.
  const ofContracts = await changes
    .crossJoin('contract')
    .where(ENTITY, '=', 'contract')
    .whereRef('contract.contract_key', '=', 'ledger.key')
    .select(['contract.contract_id', 'entity'])
    .execute();
  const ofTokens = await changes
    .crossJoin('token')
    .where(ENTITY, 'in', ['token', 'work'])
    .whereRef('token.token_id', '=', 'ledger.key')
    .innerJoin('contract', 'contract.deploy_id', 'token.deploy_id')
    .select(['contract.contract_id', 'entity'])
    // A collection may have changed in all its tokens.
    .distinct()
    .execute();
  const ofCollections = await changes
    .crossJoin('contract')
    .where(ENTITY, '=', 'collection')
    .whereRef('contract.deploy_id', '=', 'ledger.key')
    .select(['contract.contract_id', 'entity'])
    .execute();
  const byId = Map.groupBy([...ofContracts, ...ofTokens, ...ofCollections], (row) => row.contract_id);
  const sorted = [...byId].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(sorted.map(([contractId, rows]) => [contractId, rows.map(({ entity }) => entity)]));
}

/** Ids of the tokens of a deploy that changed after a revision, including a collection's own row. */
export async function changedTokens(store: StoreReader, sinceRevision: number, deployId: number): Promise<Set<number>> {
  const rows = await store
    .selectFrom('ledger')
    .crossJoin('token')
    .where('revision', '>', sinceRevision)
    .where(ENTITY, '=', 'token')
    .whereRef('token.token_id', '=', 'ledger.key')
    .where('token.deploy_id', '=', deployId)
    .select('token.token_id')
    .execute();
  return new Set(rows.map((row) => row.token_id));
}

/** Counts the tokens of each deploy that changed after a revision, and says whether the collection's own row did. */
export async function countChangedTokens(
  store: StoreReader,
  sinceRevision: number,
): Promise<Map<number, { readonly count: number; readonly isShared: boolean }>> {
  const rows = await store
    .selectFrom('ledger')
    .crossJoin('token')
    .where('revision', '>', sinceRevision)
    .where(ENTITY, '=', 'token')
    .whereRef('token.token_id', '=', 'ledger.key')
    .select((eb) => ['token.deploy_id', eb.fn.countAll<number>().as('count')])
    .select(sql<0 | 1>`max(token.token_number = '')`.as('shared'))
    .groupBy('token.deploy_id')
    .execute();
  return new Map(rows.map((row) => [row.deploy_id, { count: row.count, isShared: row.shared === 1 }]));
}
