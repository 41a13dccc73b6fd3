// Reads from an index what a seed must contain: canonical blocks, other blocks, and deploys in microblocks.
import { NO_BLOCK } from '#layout/seed-manifest.ts';
import { type FailureError, stop } from '#model/failure.ts';
import {
  countBetween,
  readBlockBelow,
  readCanonical,
  readLowestHeight,
  readSideBlockIds,
  readTip,
} from '#store/chain/blocks.ts';
import { readHighestGap } from '#store/chain/gaps.ts';
import { readMicroblockDeploys } from '#store/chain/microblocks.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { heightOf, MAX_FORKS } from '#store/schema/block-ids.ts';
import { formatCount } from '#text/format-count.ts';
import type { Range } from './plan-ranges.ts';
import { type Expected, MICROBLOCK_RANK, microblockKey } from './range-lines.ts';

/** The height of a gap in which only the genesis block is missing. Such a gap does not matter. */
const GENESIS_GAP = 1;

export type SeededChain = Awaited<ReturnType<typeof readChain>>;

/** Throws FailureError `seed-incomplete` for an index without blocks, or with a gap. */
export async function readChain(store: StoreReader) {
  const tip = await readTip(store);
  const lowest = await readLowestHeight(store);
  if (tip === undefined || lowest === undefined)
    throw incomplete('The index has no blocks', 'Index an event archive, or the events of a node.');
  const final = (await readInfo(store)).finalHeight ?? -1;
  const highestGap = (await readHighestGap(store)) ?? 0;
  // A fork below a final block cannot become canonical.
  const gap = highestGap > final + 1 ? highestGap : ((await readHighestGap(store, { canonical: true })) ?? 0);
  if (gap > GENESIS_GAP)
    throw incomplete(`The index lacks blocks below height ${formatCount(gap)}`, 'Index an archive that has them.');
  const canonical = hashesByHeight(store);
  const side = await readSideBlockIds(store);
  const microblocks = await readMicroblockDeploys(store);
  /** The heights of the parents of microblocks by hash. */
  const parents = new Map(
    microblocks.flatMap(({ parentHash, parentId }) =>
      parentId === undefined ? [] : [[parentHash, heightOf(parentId)] as const],
    ),
  );
  return {
    tip,
    /** The lowest height of a block on any fork. */
    lowest: [...side.values()].reduce((low, id) => Math.min(low, heightOf(id)), lowest),
    /** The highest final height; -1 if no block is final. */
    final,
    /** True if the index has a gap on any fork. It may then record calls that cannot write. */
    hasGap: highestGap > GENESIS_GAP,
    placeOf,
    placeOfMicroblocks: (parentHash: string) => {
      const height = parents.get(parentHash);
      return height === undefined ? undefined : { height, rank: MICROBLOCK_RANK };
    },
    /** Returns the hash of the highest canonical block up to a height; {@link NO_BLOCK} without such a block. */
    topUpTo: async (height: number) => (await readBlockBelow(store, height + 1))?.indexBlockHash ?? NO_BLOCK,
    expect,
    countBlocks: ({ first, last }: Pick<Range, 'first' | 'last'>) => countBetween(store, first - 1, last + 1, true),
    countOrphans: ({ first, last }: Pick<Range, 'first' | 'last'>) => orphansIn(first, last),
  };

  /** Returns the place of a block; undefined if the index does not have it. */
  async function placeOf(indexBlockHash: string, height: number) {
    if ((await canonical(height)) === indexBlockHash) return { height, rank: 0 };
    const id = side.get(indexBlockHash);
    return id === undefined ? undefined : { height, rank: 1 + (id % MAX_FORKS) };
  }

  async function expect({ first, last }: Range): Promise<Expected> {
    const blocksAt = new Uint16Array(last - first + 1);
    const count = (height: number) => {
      if (height >= first && height <= last) blocksAt[height - first] = (blocksAt[height - first] ?? 0) + 1;
    };
    for (let height = first; height <= last; height++) if ((await canonical(height)) !== undefined) count(height);
    for (const id of side.values()) count(heightOf(id));
    const inRange = microblocks.flatMap(({ txId, parentHash }) => {
      const height = parents.get(parentHash);
      return height === undefined || height < first || height > last
        ? []
        : [{ height, key: microblockKey(txId, parentHash) }];
    });
    const byHeight = Map.groupBy(inRange, ({ height }) => height);
    const microblocksAt = new Map([...byHeight].map(([height, keys]) => [height, new Set(keys.map(({ key }) => key))]));
    return { blocksAt, microblocksAt };
  }

  function orphansIn(first: number, last: number): number {
    let orphans = 0;
    for (const id of side.values()) if (heightOf(id) >= first && heightOf(id) <= last) orphans++;
    return orphans;
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
