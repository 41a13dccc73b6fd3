// Finds gaps: missing blocks below blocks whose parent is unknown.
import { sql } from 'kysely';
import { listedHashes } from '#sqlite/lists.ts';
import type { StoreReader } from '../index-database.ts';

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

/**
 * The missing blocks, without those that are known to be lost, and the heights of those above them, highest first. None
 * is below the lowest: an index may begin anywhere.
 */
export async function readGaps(store: StoreReader, lost: ReadonlySet<string>) {
  const { rows } = await sql<{ missing: string; height: number; lowest: number }>`
    select '0x' || lower(hex(parent_index_block_hash)) as missing, height, lowest
    from (select height as lowest from block where canonical = 1 order by height limit 1)
    cross join chain_failure
    cross join block on index_block_hash = unhex(substr(subject, 3))
    where code = 'block-gap' and height > lowest and parent_index_block_hash not in ${listedHashes([...lost])}
    order by height desc limit ${MOST_GAPS}`.execute(store);
  return rows;
}
