// Queries about readings: the result of each getter of a token, from the best source.

import { type SqlBool, sql } from 'kysely';
import { type Reading, rankOf, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import { excluded, toFlag } from '#sqlite/columns.ts';
import { groupByToken, insertRows, listed, rowsWith } from '#sqlite/lists.ts';
import { failureColumns, storedFailure } from '#sqlite/tables.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import type { Schema } from '../schema/schema.ts';
import { markOutdatedUnproven } from './unproven-readings.ts';

export type NewReading = Reading & { readonly tokenId: number };

/** Stores readings, unless a reading from a better source is stored. */
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
  // Values from a node or a token list may be outdated, because its tip may be below the archive's tip.
  const tokenIds = new Set(readings.filter(({ source }) => source !== 'vm').map(({ tokenId }) => tokenId));
  if (tokenIds.size > 0) await markOutdatedUnproven(store, [...tokenIds]);
}

/** True if the first reading is proven by VM calls above the height of the second, which is from a node or a list. */
function isProvenHigher(first: 'excluded' | 'reading', second: 'excluded' | 'reading') {
  const [vm, node] = [sql.table(first), sql.table(second)];
  return sql<SqlBool>`(${vm}.source = 'vm' and ${vm}.failure_code is null and ${vm}.calls > 0
    and ${node}.source <> 'vm' and ${node}.height < ${vm}.height)`;
}

/**
 * The condition under which a new reading replaces the stored one. A higher rank wins, unless proven calls above its
 * height decide the stored value. At equal rank the later reading wins unless its tip is lower, because an API may have
 * several nodes. An unproven value of a list, which has no height, stays before an unproven one of the VM. A VM reading
 * always replaces an earlier one, because the calls of the earlier one may be orphaned.
 */
const IS_BETTER = sql<SqlBool>`${isProvenHigher('excluded', 'reading')}
  or excluded.source = 'vm' and reading.source = 'vm'
  or excluded.rank > reading.rank and not ${isProvenHigher('reading', 'excluded')}
  or excluded.rank = reading.rank and not (excluded.source = 'vm' and reading.source = 'token-list')
    and coalesce(excluded.height, reading.height, 0) >= coalesce(reading.height, 0)`;

/** Deletes the VM readings of these tokens, unless a reading in `replaced` will overwrite them. */
export async function deleteVmReadings(
  store: StoreWriter,
  tokenIds: readonly number[],
  replaced: readonly NewReading[],
): Promise<void> {
  const ids = new Set(tokenIds);
  const kept = replaced.flatMap(({ tokenId, getter }) => (ids.has(tokenId) ? [[tokenId, getter]] : []));
  await sql`delete from reading where token_id in ${listed(tokenIds)} and source = 'vm' and (token_id, getter) not in
    (select value ->> 0, value ->> 1 from json_each(${JSON.stringify(kept)}))`.execute(store);
}

/** Reads the readings of each token, in the order of {@link TOKEN_GETTERS}. */
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
