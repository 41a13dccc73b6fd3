import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChainEvent } from '#model/chain-event.ts';
import { BlockPages } from '#store/chain/block-pages.ts';
import { countBlocks, readTip } from '#store/chain/blocks.ts';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { readSupplies } from '#store/chain/supplies.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { newIndex } from '../../support/archives.ts';
import { apply, at, served } from '../../support/chain-index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ADDRESS, callJson, deployJson, hashOf, mintEvent } from '../../support/transactions.ts';

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
});
