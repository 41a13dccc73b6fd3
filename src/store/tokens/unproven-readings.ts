// Doubts what a node or a token list said before, or on another branch than, what an archive brings: it stays, with a
// reason, until the VM proves a value or it is read again. Supplies that the archive has as a sum are dropped.

import { sql } from 'kysely';
import { fail, type Reason } from '#model/failure.ts';
import type { TokenGetter } from '#model/token.ts';
import { insertRows, listed } from '#sqlite/lists.ts';
import type { StoreWriter } from '../index-database.ts';
import { heightOfId, isCanonical } from '../schema/block-ids.ts';

const HEIGHT = (blockId: string) => sql.raw(heightOfId(blockId));

/** Of the lowest rank, so that any other reading replaces it. */
const doubt = ({ code, message }: Reason) => sql`set rank = 0, failure_code = ${code}, failure_message = ${message}`;
const DOUBT = doubt(fail('evaluation-pending'));
const UNTRACKED = doubt(
  fail('calls-not-recorded', 'It is not from the archive, and what may change it since is not followed.'),
);

/**
 * Marks values from a node or a token list as unproven if calls at or below these heights may have changed them since.
 * A token that was never evaluated depends on calls of its own contract.
 */
export async function markOlderUnproven(
  store: StoreWriter,
  called: readonly (readonly [shapeId: number, height: number])[],
): Promise<void> {
  await sql`update reading ${DOUBT}
    from (select token_id, max(value ->> 1) as changed_at from json_each(${JSON.stringify(called)})
      join token on token_id in (select token_id from shape_write join evaluation_variable using (variable_key)
          where shape_id = value ->> 0
        union all select token_id from call_shape join contract using (contract_id)
          join token as own using (deploy_id) where shape_id = value ->> 0 and token_number = '')
      group by token_id) as older
    where reading.token_id = older.token_id and source <> 'vm' and failure_code is null
      and coalesce(reading.height, -1) < changed_at`.execute(store);
}

/** Marks values from a node or a token list as unproven if their evaluations know of later calls. */
export async function markOutdatedUnproven(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  await sql`update reading ${DOUBT}
    where token_id in ${listed(tokenIds)} and source <> 'vm' and failure_code is null
      and coalesce(height, -1) < (select max(${HEIGHT('call.block_id')}) from evaluation_variable
        join shape_write using (variable_key) join call using (shape_id)
        where evaluation_variable.token_id = reading.token_id and ${sql.raw(isCanonical('call.block_id'))})`.execute(
    store,
  );
}

/** Doubts what a node returned of the tokens of collections that an archive has by now: no node is asked again. */
export async function markNumberedUnproven(store: StoreWriter, collectionIds: readonly number[]): Promise<void> {
  await sql`update reading ${UNTRACKED}
    from token as collection join token using (deploy_id) join inclusion using (deploy_id)
    where collection.token_id in ${listed(collectionIds)} and collection.token_number = '' and token.token_number <> ''
      and reading.token_id = token.token_id and source = 'node' and reading.failure_code is null`.execute(store);
}

/** Replaces of which getters of these tokens the VM cannot follow the values, and doubts what others said of them. */
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

/** Doubts what a node or a token list said below the archives' tip of getters whose values the VM cannot follow. */
export async function markUntrackedUnproven(store: StoreWriter): Promise<void> {
  await sql`update reading ${UNTRACKED}
    from untracked where reading.token_id = untracked.token_id and reading.getter = untracked.getter
      and source <> 'vm' and failure_code is null
      and coalesce(reading.height, -1) < (select highest from block_page order by page desc limit 1)`.execute(store);
}

/** Doubts what a node answered on a branch that is left, of tokens that its blocks changed. */
export async function markOrphanedUnproven(store: StoreWriter, blockIds: readonly number[]): Promise<void> {
  await sql`update reading ${DOUBT}
    from (select token_id, min(${HEIGHT('call.block_id')}) as left_at from call
      join shape_write using (shape_id) join evaluation_variable using (variable_key)
      where block_id in ${listed(blockIds)} group by token_id) as orphaned
    where reading.token_id = orphaned.token_id and source <> 'vm' and failure_code is null
      and reading.height >= left_at`.execute(store);
}

/** Heights at which a node or a token list gave what is no longer so; one without a height is below all. */
interface Heights {
  readonly from?: number;
  readonly below?: number;
}

/**
 * Drops supplies that a node or a token list gave of other mints and burns than those that count: the sum of these is
 * better. Where mints may be missing below `gap`, or the supply is no sum, it is doubted instead.
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
  await sql`update reading ${DOUBT}
    where ${isOther} and failure_code is null and token_id in (${tokens})`.execute(store);
}
