import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BlockEvent, ChainEvent } from '#model/chain-event.ts';
import { BlockPages } from '#store/chain/block-pages.ts';
import { countBlocks, readTip } from '#store/chain/blocks.ts';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { readSupplies } from '#store/chain/supplies.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { eventOf } from '../../reliability/forks/fork-events.ts';
import { dumpIndex, newIndex } from '../../support/archives.ts';
import { apply, at, served } from '../../support/chain-index.ts';
import { Random } from '../../support/random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ADDRESS, callJson, deployJson, hashOf, mintEvent } from '../../support/transactions.ts';

const NEVER = { blocks: Number.MAX_SAFE_INTEGER, burnBlocks: 0 };
const ASSET = `${ADDRESS}.coins::coin`;

/** Returns blocks at the heights `from` to `to`, each with its own burn block. */
function chain(from: number, to: number): ChainEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => at(from + index, [], { burnHeight: 100 + from + index }));
}

/** Applies blocks. A block becomes final when `blocks` blocks and `burnBlocks` burn blocks follow it. */
function add(store: Store, events: readonly ChainEvent[], blocks: number, burnBlocks = 0) {
  return apply(store, events, { finality: { blocks, burnBlocks } });
}

async function finalHeights(store: Store): Promise<number[]> {
  const blocks = await Array.fromAsync(new BlockPages(store).upFrom(0));
  return blocks.flatMap(({ page, height }) => (page.isFinal(height) ? [height] : []));
}

const within = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe('finality', () => {
  test('refuses a block of another fork only at final heights', async () => {
    const store = await newIndex();
    await add(store, chain(1, 10), 3);
    expect(await finalHeights(store)).toEqual(within(1, 7));
    const deploy = deployJson('late', '(print 1)');
    const fork = (id: string, height: number, parent: string | number) => at(height, [deploy], { id, parent });
    expect(await add(store, [fork('f7', 7, 6)], 3)).toMatchObject({ blocks: 0, refusedBlocks: 1, repeatedBlocks: 0 });
    expect(await served(store, `${ADDRESS}.late`)).toBeUndefined();
    expect(await readChainFailures(store, 10)).toMatchObject([
      { code: 'block-gap', subject: hashOf(1) },
      { code: 'fork-too-deep', subject: hashOf('f7') },
    ]);
    expect(await add(store, [fork('f8', 8, 7)], 3)).toMatchObject({ blocks: 1, refusedBlocks: 0 });
    expect(await served(store, `${ADDRESS}.late`)).toBe('late@8!');
    const longer = [at(9, [], { id: 'f9', parent: 'f8' }), at(10, [], { id: 'f10', parent: 'f9' })];
    expect(await add(store, [...longer, at(11, [], { id: 'f11', parent: 'f10' })], 3)).toMatchObject({
      orphanedBlocks: 3,
    });
    expect(await served(store, `${ADDRESS}.late`)).toBe('late@8');
  });

  test('counts a repeated final block as repeated', async () => {
    const store = await newIndex();
    await add(store, chain(1, 10), 3);
    expect(await add(store, chain(1, 10), 3)).toMatchObject({ blocks: 0, repeatedBlocks: 10, refusedBlocks: 0 });
  });

  test('counts burn blocks and linked blocks instead of heights', async () => {
    const store = await newIndex();
    const sameBurn = within(1, 10).map((height) => at(height, [], { burnHeight: 100 }));
    await add(store, sameBurn, 2, 2);
    await add(store, [at(0xffff_fff0, [], { id: 'far', parent: 'unknown', burnHeight: 900 })], 2, 2);
    expect(await finalHeights(store)).toEqual([]);
    expect(await add(store, [at(2, [], { id: 'f2', parent: 1 })], 2, 2)).toMatchObject({ blocks: 1, refusedBlocks: 0 });
    const other = await newIndex();
    await add(other, sameBurn, 2, 2);
    await add(other, [at(11, [], { burnHeight: 101 }), at(12, [], { burnHeight: 102 })], 2, 2);
    expect(await finalHeights(other)).toEqual(within(1, 10));
  });

  test('fills a gap at any depth, and makes the blocks below it final', async () => {
    const store = await newIndex();
    await add(store, chain(1, 3), 2);
    await add(store, chain(6, 20), 2);
    expect(await finalHeights(store)).toEqual([1, ...within(6, 18)]);
    expect(await add(store, [at(3, [], { id: 'f3', parent: 2 })], 2)).toMatchObject({ blocks: 1 });
    expect(await add(store, chain(5, 5), 2)).toMatchObject({ blocks: 1, refusedBlocks: 0 });
    expect(await finalHeights(store)).toEqual([1, ...within(5, 18)]);
    await add(store, chain(4, 4), 2);
    expect(await finalHeights(store)).toEqual(within(1, 18));
    expect(await add(store, [at(2, [], { id: 'f2', parent: 1 })], 2)).toMatchObject({ refusedBlocks: 1 });
    expect(await countBlocks(store)).toEqual({ canonical: 20, orphaned: 1 });
  });

  test('keeps final blocks when a stored branch from below them becomes the longest', async () => {
    const store = await newIndex();
    await add(store, [...chain(1, 3), at(2, [], { id: 'f2', parent: 1 }), at(3, [], { id: 'f3', parent: 'f2' })], 8);
    await add(store, chain(4, 6), 3);
    expect(await finalHeights(store)).toEqual(within(1, 3));
    const branch = within(4, 7).map((height) => at(height, [], { id: `f${height}`, parent: `f${height - 1}` }));
    await add(store, branch, 3);
    expect(await finalHeights(store)).toEqual([1, 2, 3, 4]);
    expect((await readTip(store))?.indexBlockHash).toBe(hashOf('f7'));
    const hashes = await Array.fromAsync(new BlockPages(store).upFrom(0), ({ page, height }) => page.hash(height));
    expect(hashes).toEqual([1, 2, 3, 'f4', 'f5', 'f6', 'f7'].map(hashOf));
  });

  test('deletes only supply changes of final blocks, and undoes the others', async () => {
    const store = await newIndex();
    const mint = callJson();
    const minting = within(1, 6).map((height) => at(height, [mint], { events: [mintEvent(mint.txid, ASSET, '10')] }));
    await add(store, minting, 3);
    expect(await store.selectFrom('supply_change').selectAll().execute()).toHaveLength(3);
    const fork = within(4, 7).map((height) =>
      at(height, [], { id: `f${height}`, parent: height === 4 ? 3 : `f${height - 1}` }),
    );
    await add(store, fork, 3);
    expect(await readSupplies(store, [ASSET])).toEqual(new Map([[ASSET, 30n]]));
  });

  test('makes the same blocks final in one batch and in many runs', async () => {
    const inOneBatch = await newIndex();
    const blocks = [...chain(1, 30), at(30, [], { id: 'f30', parent: 29 }), ...chain(31, 50)];
    await add(inOneBatch, blocks, 7, 5);
    const path = join(tempFolder(), 'index.sqlite');
    for (const block of blocks) {
      const store = await openIndex(path);
      await add(store, [block], 7, 5);
      await store.destroy();
    }
    const inManyRuns = await newIndex(path);
    expect(await finalHeights(inOneBatch)).toEqual(within(1, 43));
    expect(await finalHeights(inManyRuns)).toEqual(await finalHeights(inOneBatch));
  });

  test('stores the same contents with any window and any order of 20 parts', async () => {
    let finals = 0;
    for (let seed = 1; seed <= 25; seed++) {
      const random = new Random(seed);
      const drawn = archiveInParts(random).map((part) => ({ part, place: random.below(1_000_000) }));
      const parts = drawn.sort((left, right) => left.place - right.place).map(({ part }) => part);
      const [small, large] = [await newIndex(':memory:'), await newIndex(':memory:')];
      for (const part of parts) {
        expect(await add(small, part, random.within(4, 8))).toMatchObject({ refusedBlocks: 0 });
        await apply(large, part, { finality: NEVER });
      }
      finals += (await finalHeights(small)).length;
      expect(await finalHeights(large)).toEqual([]);
      expect(await contentOf(small), `seed ${seed}`).toEqual(await contentOf(large));
    }
    expect(finals).toBeGreaterThan(25 * 60);
  });
});

/**
 * Returns a chain of 100 blocks in 20 parts, with contents and short forks. Each fork begins and ends in the same part.
 */
function archiveInParts(random: Random): BlockEvent[][] {
  const carried = () => {
    const [kind, contract] = [random.below(5), `k${random.below(4)}`];
    if (kind === 0) return { deploy: `${contract}.${random.below(2)}` };
    if (kind === 1) return { minted: random.within(1, 9) };
    return kind === 2 ? { notice: `${contract}${random.pick(['s', 'f', 'd'])}` } : {};
  };
  return within(0, 19).map((part) => {
    const blocks: BlockEvent[] = [];
    const first = part * 5;
    const forksAt = first + random.within(1, 2);
    for (let height = first; height < first + 5; height++) {
      const parent = `a${height - 1}`;
      blocks.push(eventOf({ name: `a${height}`, height, parent, ...carried() }));
      if (height !== forksAt) continue;
      for (let above = 1, last = `a${height}`; above <= random.within(1, 2); above++) {
        const name = `b${part}x${above}`;
        blocks.push(eventOf({ name, height: height + above, parent: last, ...carried() }));
        last = name;
      }
    }
    return blocks;
  });
}

/** Returns all rows of the index, except the state of finality, and the data that is only needed to undo blocks. */
async function contentOf(store: Store) {
  const { block_page, finality, supply_change, ledger, history, info, ...content } = await dumpIndex(store);
  const blocks = await Array.fromAsync(new BlockPages(store).upFrom(0), ({ page, height }) => page.block(height));
  return { ...content, blocks };
}
