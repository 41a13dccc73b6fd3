// Marks values from nodes and token lists as unproven if an archive adds later calls, or the values come from an
// abandoned branch. An unproven value stays, with the reason, until the VM proves a value or the value is read again.
// Supplies that the archive can sum up are deleted instead.

import { sql } from 'kysely';
import { fail, type Reason } from '#model/failure.ts';
import type { TokenGetter } from '#model/token.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreWriter } from '../index-database.ts';
import { heightOfId, isCanonical } from '../schema/chain.ts';

const HEIGHT = (blockId: string) => sql.raw(heightOfId(blockId));

/** Returns SQL that gives a reading a reason and the lowest rank, so that any other reading replaces it. */
const setReason = ({ code, message }: Reason) =>
  sql`set rank = 0, failure_code = ${code}, failure_message = ${message}`;
const SET_PENDING = setReason(fail('evaluation-pending'));
const SET_UNTRACKED = setReason(
  fail('calls-not-recorded', 'The value is not from the archive, and later changes of it are not tracked.'),
);

/**
 * Marks values from a node or a token list as unproven if later calls may have changed them. `called` has the last
 * height of each kind. A token that was never evaluated depends on calls of its own contract.
 */
export async function markOlderUnproven(
  store: StoreWriter,
  called: readonly (readonly [kindId: number, height: number])[],
): Promise<void> {
  await sql`update reading ${SET_PENDING}
    from (select token_id, max(value ->> 1) as changed_at from json_each(${JSON.stringify(called)})
      join token on token_id in (select token_id from kind_write join evaluation_variable using (variable_key)
          where kind_id = value ->> 0
        union all select token_id from call_kind join contract using (contract_id)
          join token as own using (deploy_id) where kind_id = value ->> 0 and token_number = '')
      group by token_id) as older
    where reading.token_id = older.token_id and source <> 'vm' and failure_code is null
      and coalesce(reading.height, -1) < changed_at`.execute(store);
}

/** Marks values from a node or a token list as unproven if recorded calls at higher heights may have changed them. */
export async function markOutdatedUnproven(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  await sql`update reading ${SET_PENDING}
    where token_id in ${listed(tokenIds)} and source <> 'vm' and failure_code is null
      and coalesce(height, -1) < (select max(${HEIGHT('call.block_id')}) from evaluation_variable
        join kind_write using (variable_key) join call using (kind_id)
        where evaluation_variable.token_id = reading.token_id and ${sql.raw(isCanonical('call.block_id'))})`.execute(
    store,
  );
}

/**
 * Marks values of collections' tokens from a node as unproven if an archive now contains the collection. Such tokens
 * are no longer read from a node.
 */
export async function markNumberedUnproven(store: StoreWriter, collectionIds: readonly number[]): Promise<void> {
  await sql`update reading ${SET_UNTRACKED}
    from token as collection join token using (deploy_id) join inclusion using (deploy_id)
    where collection.token_id in ${listed(collectionIds)} and collection.token_number = '' and token.token_number <> ''
      and reading.token_id = token.token_id and source = 'node' and reading.failure_code is null`.execute(store);
}

/** Stores the untracked getters of these tokens. Marks their values from nodes and token lists as unproven. */
export async function writeUntracked(
  store: StoreWriter,
  tokenIds: readonly number[],
  getters: readonly { readonly tokenId: number; readonly getter: TokenGetter }[],
): Promise<void> {
  await store.deleteFrom('untracked').where('token_id', 'in', listed(tokenIds)).execute();
  const rows = getters.map(({ tokenId, getter }) => ({ token_id: tokenId, getter }));
  await insertRows(store, 'untracked', rows);
  await markUntrackedUnproven(store);
}

/** Marks values of untracked getters as unproven if a node or a token list returned them below the archives' tip. */
export async function markUntrackedUnproven(store: StoreWriter): Promise<void> {
  await sql`update reading ${SET_UNTRACKED}
    from untracked where reading.token_id = untracked.token_id and reading.getter = untracked.getter
      and source <> 'vm' and failure_code is null
      and coalesce(reading.height, -1) < (select ${HEIGHT('max(block_id)')} from block)`.execute(store);
}

/** Marks values as unproven if they come from an orphaned branch whose blocks changed them. */
export async function markOrphanedUnproven(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  await sql`update reading ${SET_PENDING}
    from (select token_id, min(${HEIGHT('call.block_id')}) as left_at from call
      join kind_write using (kind_id) join evaluation_variable using (variable_key)
      where block_id in ${listed(blockIds)} group by token_id) as orphaned
    where reading.token_id = orphaned.token_id and source <> 'vm' and failure_code is null
      and coalesce(reading.height, left_at) >= left_at`.execute(store);
}

/** The heights at which values from nodes and lists are outdated. A value without a height is below all heights. */
interface Heights {
  readonly from?: number;
  readonly below?: number;
}

/**
 * Deletes supplies from nodes and token lists that predate canonical mints and burns, because the sum of these amounts
 * is better. If mints may be missing below `gap`, or the supply is not a sum, marks the value as unproven instead.
 */
export async function dropOtherSupplies(
  store: StoreWriter,
  contractIds: readonly string[],
  { from = -1, below = Number.MAX_SAFE_INTEGER }: Heights,
  gap = 0,
): Promise<void> {
  const isOther = sql`getter = 'get-total-supply' and source <> 'vm'
    and coalesce(height, -1) >= ${from} and coalesce(height, -1) < ${below}`;
  const tokens = sql`select token_id from contract join token using (deploy_id)
    where contract_id in ${listed(contractIds)}`;
  await sql`delete from reading where ${isOther}
    and token_id in (${tokens} and supply_assets is not null and block_height >= ${gap})`.execute(store);
  await sql`update reading ${SET_PENDING}
    where ${isOther} and failure_code is null and token_id in (${tokens})`.execute(store);
}
