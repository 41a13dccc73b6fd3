// Finds the first canonical block of each day by burn block time.
import { sql } from 'kysely';
import type { StoreReader } from '../index-database.ts';
import { heightOf } from '../schema/chain.ts';
import { readTip } from './blocks.ts';

export interface DayStart {
  readonly height: number;
  /** UTC, ISO 8601. */
  readonly day: string;
}

const DAY_SECONDS = 86_400;
/** The maximum number of ranges to divide. Forged times could change the day at each block. */
const MAX_RANGES = 100_000;

/**
 * Returns the first block of each day. Divides the heights into halves until each range begins and ends on one day, or
 * has one height. Times may decrease for a few blocks, so a day may also begin at a later one of these blocks.
 */
export async function readDayStarts(store: StoreReader): Promise<DayStart[]> {
  const tip = await readTip(store);
  if (tip === undefined) return [];
  // All ranges have the same width: a power of two, so that their limits do not depend on the tip.
  let width = 2 ** Math.ceil(Math.log2(tip.height + 1));
  let ranges = [0];
  const found = await readFirstFrom(store, ranges);
  const dayAt = (height: number) => found.get(height)?.day;
  while (width > 1) {
    width /= 2;
    const middles = ranges.map((start) => start + width);
    for (const [height, first] of await readFirstFrom(store, middles)) found.set(height, first);
    ranges = [...ranges, ...middles].filter((start) => dayAt(start) !== dayAt(start + width)).slice(0, MAX_RANGES);
  }
  const ends = ranges.map((start) => start + 1).sort((left, right) => left - right);
  const starts: DayStart[] = [];
  let last = -1;
  for (const limit of [0, ...ends]) {
    const first = found.get(limit);
    if (first === undefined || first.day <= last) continue;
    last = first.day;
    starts.push({ height: first.height, day: new Date(last * DAY_SECONDS * 1000).toISOString().slice(0, 10) });
  }
  return starts;
}

/** Reads the first canonical block with a time at or above each of these heights. The day counts from the epoch. */
async function readFirstFrom(store: StoreReader, heights: readonly number[]) {
  const { rows } = await sql<{ from: number; block_id: number; time: number }>`
    select value as "from", block_id, time from json_each(${JSON.stringify(heights)}) cross join block
    where block_id = (select block_id from block as above where above.block_id >= value << 12 and above.canonical = 1
      and above.time is not null order by above.block_id limit 1)`.execute(store);
  return new Map(
    rows.map(({ from, block_id, time }) => [from, { height: heightOf(block_id), day: Math.floor(time / DAY_SECONDS) }]),
  );
}
