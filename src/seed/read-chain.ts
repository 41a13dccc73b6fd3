// Reads from an index what a seed must contain: canonical blocks in ranges of heights, and all blocks above the ranges.
import { type FailureError, stop } from '#model/failure.ts';
import { readBlockBelow, readCanonical, readSideBlockIds, readTip, readUpFrom } from '#store/chain/blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { heightOf } from '#store/schema/chain.ts';
import { formatCount } from '#text/format-count.ts';

/** Heights whose blocks are all final, and whose parts never change. */
export interface Range {
  readonly first: number;
  readonly last: number;
}

/** The height of a gap in which only the genesis block is missing. Such a gap does not matter. */
const GENESIS_GAP = 1;

export type SeededChain = Awaited<ReturnType<typeof readChain>>;

/**
 * Divides the final heights into ranges of `rangeHeights` heights. Throws FailureError `seed-incomplete` for an index
 * without blocks, or with a gap.
 */
export async function readChain(store: StoreReader, rangeHeights: number) {
  const tip = await readTip(store);
  if (tip === undefined)
    throw incomplete('The index has no blocks', 'Index an event archive, or the events of a node.');
  const final = (await readInfo(store)).finalHeight ?? -1;
  const highestGap = (await readHighestGap(store)) ?? 0;
  // A fork below a final block cannot become canonical.
  const gap = highestGap > final + 1 ? highestGap : ((await readHighestGap(store, { canonical: true })) ?? 0);
  if (gap > GENESIS_GAP)
    throw incomplete(`The index lacks blocks below height ${formatCount(gap)}`, 'Index an archive that has them.');
  const hashAt = hashesByHeight(store);
  const ranges: Range[] = [];
  for (let first = 0; first + rangeHeights - 1 <= final; first += rangeHeights)
    ranges.push({ first, last: first + rangeHeights - 1 });
  const end = ranges.at(-1)?.last ?? -1;
  const recent = new Map<string, number>();
  for await (const { height, hash } of canonicalFrom(end + 1)) recent.set(hash, height);
  for (const [hash, id] of await readSideBlockIds(store)) if (heightOf(id) > end) recent.set(hash, heightOf(id));
  return {
    tip,
    ranges,
    /** The height at which the ranges end; -1 without a range. */
    end,
    /** The heights of all blocks above `end`, on all forks, by hash. */
    recent: recent as ReadonlyMap<string, number>,
    canonicalFrom,
    /** True if the block is canonical. */
    has: async (hash: string, height: number): Promise<boolean> => (await hashAt(height)) === hash,
    /** Returns the hash of the highest canonical block in a range; undefined if the range has no block. */
    async topOf({ first, last }: Range): Promise<string | undefined> {
      const top = await readBlockBelow(store, last + 1);
      return top !== undefined && top.height >= first ? top.indexBlockHash : undefined;
    },
  };

  /** Yields the canonical blocks at and above a height in ascending order. */
  async function* canonicalFrom(first: number): AsyncGenerator<{ readonly height: number; readonly hash: string }> {
    for await (const { height, indexBlockHash: hash } of readUpFrom(store, first)) yield { height, hash };
  }
}

/** Returns a function that reads the hash of the canonical block at a height. It is fast for heights in order. */
function hashesByHeight(store: StoreReader) {
  let first = 0;
  let hashes: ReadonlyMap<number, string> | undefined;
  return async (height: number) => {
    if (hashes === undefined || height < first || height >= first + HEIGHTS_READ) {
      first = height - (height % HEIGHTS_READ);
      const blocks = await readCanonical(store, first - 1, first + HEIGHTS_READ);
      hashes = new Map(blocks.map((block) => [block.height, block.indexBlockHash]));
    }
    return hashes.get(height);
  };
}

/** The number of heights to read at once. */
const HEIGHTS_READ = 1024;

export function incomplete(problem: string, remedy: string): FailureError {
  return stop('seed-incomplete', `${problem}, so the seed is not complete. ${remedy}`);
}
