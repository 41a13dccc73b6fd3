// Makes blocks of sorted rows with the fence that finds them: takes rows, returns entries for files of a search.

import { createHash } from 'node:crypto';
import type { Zod } from './route.ts';
import { BlockCutter, type BlockRow, type SearchBlock, type SearchRow } from './search-blocks.ts';
import type { StoredEntry } from './subject.ts';

/** First key and id of each block in one order. */
export type Fence = (readonly [string, string])[];

export interface StoredBlock {
  readonly id: string;
  readonly rows: readonly BlockRow[];
}

export const BLOCK_ID = /^[0-9a-f]{12}$/;

export const fenceSchema = (z: Zod) => z.array(z.array(z.string()).length(2));

/** Adds each block to the fence. */
export async function* blocksOf(
  order: string,
  pages: AsyncIterable<readonly SearchRow[]>,
  fence: Fence,
): AsyncGenerator<StoredEntry<StoredBlock>[]> {
  const cutter = new BlockCutter();
  const toEntry = ({ first, rows }: SearchBlock): StoredEntry<StoredBlock> => {
    const key = `${order} ${first}`;
    const id = blockId(key);
    // A block starts at the first row of a name, or continues the name with which the previous block ends.
    const [name = ''] = first.split(' ');
    fence.push([lastName === name ? first : name, id]);
    lastName = String(rows.at(-1)?.[0]).toLowerCase();
    return { key, stored: { id, rows } };
  };
  let lastName: string | undefined;
  for await (const rows of pages) yield rows.flatMap((row) => cutter.add(row) ?? []).map(toEntry);
  const last = cutter.end();
  if (last !== undefined) yield [toEntry(last)];
}

export function blockId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
