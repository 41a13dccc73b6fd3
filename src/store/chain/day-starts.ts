// Finds the first canonical block of each day by burn block time.
import type { StoreReader } from '../index-database.ts';
import { BlockPages } from './block-pages.ts';
import { PAGE_HEIGHTS } from './block-records.ts';

export interface DayStart {
  readonly height: number;
  /** UTC, ISO 8601. */
  readonly day: string;
}

const DAY_SECONDS = 86_400;
const dayOf = (time: number) => Math.floor(time / DAY_SECONDS);

/** Returns the first block of each day. Reads only pages that may contain such a block. */
export async function readDayStarts(store: StoreReader): Promise<DayStart[]> {
  const times = store.selectFrom('block_page').select(['page', 'earliest_time as earliest', 'latest_time as latest']);
  const read = new Set<number>();
  const first = new Map<number, { readonly page: number; readonly time: number }>();
  for (const { page, earliest, latest } of await times.orderBy('page').execute()) {
    if (earliest === null || latest === null) continue;
    const day = dayOf(earliest);
    if (day !== dayOf(latest)) read.add(page);
    else if (earliest < (first.get(day)?.time ?? Number.POSITIVE_INFINITY)) first.set(day, { page, time: earliest });
  }
  for (const { page } of first.values()) read.add(page);
  const starts = new Map<number, { readonly height: number; readonly time: number }>();
  const pages = new BlockPages(store);
  for (const number of [...read].sort((left, right) => left - right)) {
    const page = await pages.pageOf(number * PAGE_HEIGHTS);
    for (const height of page.heights()) {
      const time = page.time(height);
      const known = starts.get(dayOf(time));
      if (time > 0 && (known === undefined || time < known.time)) starts.set(dayOf(time), { height, time });
    }
  }
  const inOrder = [...starts].sort(([left], [right]) => left - right);
  return inOrder.map(([day, { height }]) => ({
    height,
    day: new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10),
  }));
}
