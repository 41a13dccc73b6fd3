// Reads the change ledger: the entities that changed after a revision, and the history of a revision. Triggers write it
// (schema/ledger.ts).
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { countBy, highest } from '#sqlite/aggregates.ts';
import { listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Entity } from '../schema/ledger.ts';

export type { Entity } from '../schema/ledger.ts';

/** Returns the revision of the last change. While it stays the same, all served data stays the same. */
export function lastRevision(store: StoreReader): Promise<number> {
  return highest(store, 'ledger', 'revision');
}

/** Begins a new history before the first change of a run. A restored index uses revisions again, in another history. */
export async function beginHistory(store: StoreWriter): Promise<void> {
  const token = randomUUID();
  await store
    .insertInto('history')
    .values({ after_revision: await lastRevision(store), token })
    // On a conflict, the last run made no changes, and the new history replaces its history.
    .onConflict((conflict) => conflict.doUpdateSet({ token }))
    .execute();
}

/**
 * Returns the token of the history that contains a revision. Indexes with equal tokens have equal changes up to the
 * revision. Undefined for a future revision.
 */
export async function historyOf(store: StoreReader, revision: number): Promise<string | undefined> {
  if (revision > (await lastRevision(store))) return undefined;
  const begun = store.selectFrom('history').select('token').where('after_revision', '<', revision);
  return (await begun.orderBy('after_revision', 'desc').limit(1).executeTakeFirst())?.token;
}

export function countChanges(store: StoreReader, sinceRevision: number): Promise<Partial<Record<Entity, number>>> {
  return countBy(store.selectFrom('ledger').where('revision', '>', sinceRevision), 'entity');
}

/** The entities that belong to a contract. */
type ContractEntity = Exclude<Entity, 'image' | 'status'>;

/** Returns the kinds of entities that changed after a revision, by contract id, in order of id. */
export async function changedContracts(
  store: StoreReader,
  sinceRevision: number,
  entities: readonly ContractEntity[] = ['contract', 'token', 'collection', 'status-only'],
): Promise<Map<string, Entity[]>> {
  // The cross joins make SQLite start from the few changed rows, although all tokens of a collection may have changed.
  const { rows } = await sql<{ contract_id: string; entity: Entity }>`
    with changed as not materialized
      (select entity, key from ledger where revision > ${sinceRevision} and +entity in ${listed(entities)})
    select contract_id, entity from changed cross join contract
      where +entity in ('contract', 'graph') and contract.contract_key = changed.key
    union select contract_id, entity from changed cross join contract
      where +entity = 'collection' and contract.deploy_id = changed.key
    union select contract_id, entity from changed cross join token join contract using (deploy_id)
      where +entity in ('token', 'status-only') and token.token_id = changed.key
    order by contract_id`.execute(store);
  const byId = Map.groupBy(rows, (row) => row.contract_id);
  return new Map([...byId].map(([contractId, changes]) => [contractId, changes.map(({ entity }) => entity)]));
}

/** Selects tokens that changed after a revision, including the rows of collections. */
function changedTokenRows(store: StoreReader, sinceRevision: number) {
  return (
    store
      .selectFrom('ledger')
      .crossJoin('token')
      .where('revision', '>', sinceRevision)
      // The plus makes SQLite search by revision instead of by entity, because few rows are newer than the revision.
      .where(sql<Entity>`+entity`, '=', 'token')
      .whereRef('token.token_id', '=', 'ledger.key')
  );
}

/** Returns the ids of a deploy's tokens that changed after a revision, including the row of a collection. */
export async function changedTokens(store: StoreReader, sinceRevision: number, deployId: number): Promise<Set<number>> {
  const changed = changedTokenRows(store, sinceRevision).where('token.deploy_id', '=', deployId);
  const rows = await changed.select('token.token_id').execute();
  return new Set(rows.map((row) => row.token_id));
}

/** Counts the tokens of each deploy that changed after a revision. `isShared`: the collection's row changed. */
export async function countChangedTokens(store: StoreReader, sinceRevision: number) {
  const rows = await changedTokenRows(store, sinceRevision)
    .select((eb) => ['token.deploy_id', eb.fn.countAll<number>().as('count')])
    .select(sql<0 | 1>`max(token.token_number = '')`.as('shared'))
    .groupBy('token.deploy_id')
    .execute();
  return new Map(rows.map((row) => [row.deploy_id, { count: row.count, isShared: row.shared === 1 }]));
}
