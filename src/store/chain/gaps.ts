// Finds gaps: missing blocks below blocks whose parent is unknown.
import { sql } from 'kysely';
import type { StoreReader } from '../index-database.ts';
import { findBlocks } from './blocks.ts';

const MOST_GAPS = 100;

/** Height of the highest block whose parent is unknown. */
export async function readHighestGap(store: StoreReader, { canonical = false } = {}): Promise<number | undefined> {
  const row = await store
    .selectFrom('chain_failure')
    .innerJoin('block', (join) =>
      join.on((eb) => eb('block.index_block_hash', '=', sql<Buffer>`unhex(substr(chain_failure.subject, 3))`)),
    )
    .select((eb) => eb.fn.max<number | null>('block.height').as('height'))
    .where('chain_failure.code', '=', 'block-gap')
    .where('block.canonical', 'in', canonical ? [1] : [0, 1])
    .executeTakeFirst();
  return row?.height ?? undefined;
}

export type Gap = Awaited<ReturnType<typeof readGaps>>[number];

/** The missing blocks, and the heights of those above them. None is below the lowest: an index may begin anywhere. */
export async function readGaps(store: StoreReader) {
  const { rows } = await sql<{ lowest: number }>`
    select height as lowest from block where canonical = 1 order by height limit 1`.execute(store);
  if (rows[0] === undefined) return [];
  const { lowest } = rows[0];
  const gaps = store.selectFrom('chain_failure').select('subject').where('code', '=', 'block-gap').limit(MOST_GAPS);
  const subjects = (await gaps.execute()).map(({ subject }) => subject);
  const above = await findBlocks(store, subjects);
  return above
    .filter(({ height }) => height > lowest)
    .map(({ parentIndexBlockHash: missing, height }) => ({ missing, height, lowest }));
}
