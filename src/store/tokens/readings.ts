// Queries about readings: the result of each getter of a token, from the best source.

import { type SqlBool, sql } from 'kysely';
import { fail } from '#model/failure.ts';
import { type Reading, rankOf, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { excluded, toFlag } from '#sqlite/columns.ts';
import { groupByToken, insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { failureColumns, storedFailure } from '../schema/columns.ts';
import type { Schema } from '../schema/schema.ts';

export type NewReading = Reading & { readonly tokenId: number };

/** Stores readings, unless one from a better source is stored. */
export async function writeReadings(store: StoreWriter, readings: readonly NewReading[]): Promise<void> {
  const rows = readings.map((reading) => ({
    token_id: reading.tokenId,
    getter: reading.getter,
    source: reading.source,
    rank: rankOf(reading),
    height: reading.height ?? null,
    calls: reading.calls ?? null,
    partial: toFlag(reading.partial),
    value: reading.value ?? null,
    ...failureColumns(reading.failure),
  }));
  await insertRows(store, 'reading', rows, (conflict) =>
    conflict
      .doUpdateSet(excluded('source', 'rank', 'height', 'calls', 'partial', 'value', 'failure_code', 'failure_message'))
      .where(IS_BETTER),
  );
}

/** True if the first is from the VM, proven through calls after the tip at which a node or a list gave the second. */
function isProvenHigher(one: 'excluded' | 'reading', other: 'excluded' | 'reading') {
  const [vm, node] = [sql.table(one), sql.table(other)];
  return sql<SqlBool>`(${vm}.source = 'vm' and ${vm}.failure_code is null and ${vm}.calls > 0
    and ${node}.source <> 'vm' and ${node}.height < ${vm}.height)`;
}

/**
 * From the same source the later reading wins, unless its tip is lower: one address may have several nodes. The VM reads
 * what is canonical now: the calls that it replayed before may be orphaned.
 */
const IS_BETTER = sql<SqlBool>`${isProvenHigher('excluded', 'reading')}
  or excluded.source = 'vm' and reading.source = 'vm'
  or excluded.rank > reading.rank and not ${isProvenHigher('reading', 'excluded')}
  or excluded.rank = reading.rank
    and coalesce(excluded.height, reading.height, 0) >= coalesce(reading.height, 0)`;

export async function deleteVmReadings(store: StoreWriter, tokenIds: readonly number[]): Promise<void> {
  await store.deleteFrom('reading').where('token_id', 'in', listed(tokenIds)).where('source', '=', 'vm').execute();
}

/**
 * Doubts what a node or a token list said of tokens, before a block in which these contracts changed: `contract block`.
 * What the VM proves then replaces it, as what a node says later does.
 */
export async function doubtOlder(store: StoreWriter, changed: ReadonlySet<string>): Promise<void> {
  const { code, message } = fail('evaluation-pending');
  await sql`update reading set rank = 0, failure_code = ${code}, failure_message = ${message}
    from (select token_id, max(block.height) as changed_at from json_each(${JSON.stringify([...changed])})
      join evaluation_input on contract_id = substr(value, 1, instr(value, ' ') - 1)
      join block on block_id = cast(substr(value, instr(value, ' ') + 1) as integer) group by token_id) as older
    where reading.token_id = older.token_id and source <> 'vm' and failure_code is null
      and coalesce(reading.height, -1) < changed_at`.execute(store);
}

/** Drops supplies that a node or a token list gave before a height: the sum of mints and burns is newer. */
export async function dropOlderSupplies(store: StoreWriter, contractIds: readonly string[], height: number) {
  await sql`delete from reading where getter = 'get-total-supply' and source <> 'vm'
    and coalesce(height, -1) < ${height} and token_id in (select token_id from contract join token using (deploy_id)
      where contract_id in ${listed(contractIds)} and supply_assets is not null)`.execute(store);
}

/** Readings of each token, in answer order. */
export async function readReadings(store: StoreReader, tokenIds: readonly number[]): Promise<Map<number, Reading[]>> {
  const rows = await rowsWith(store, 'reading', 'token_id', tokenIds);
  const rank = ({ getter }: { readonly getter: TokenGetter }) => TOKEN_GETTERS.indexOf(getter);
  rows.sort((left, right) => rank(left) - rank(right));
  return groupByToken(rows, toReading);
}

function toReading(row: Schema['reading']): Reading {
  const failure = storedFailure(row);
  return {
    getter: row.getter,
    source: row.source,
    ...(row.height === null ? {} : { height: row.height }),
    ...(row.calls === null ? {} : { calls: row.calls }),
    ...(row.partial === 1 ? { partial: true } : {}),
    ...(row.value === null ? {} : { value: row.value }),
    ...(failure === undefined ? {} : { failure }),
  };
}
