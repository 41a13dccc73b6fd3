import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ChainEvent } from '#model/chain-event.ts';
import { countBlocks, readTip } from '#store/chain/blocks.ts';
import { readChainFailures } from '#store/chain/chain-log.ts';
import { readSupplies } from '#store/chain/supplies.ts';
import { openIndex, type Store } from '#store/index-database.ts';
import { readInfo } from '#store/index-info.ts';
import { newIndex } from '../../support/archives.ts';
import { apply, at, served } from '../../support/chain-index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { ADDRESS, callJson, deployJson, hashOf, mintEvent } from '../../support/transactions.ts';

const within = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ASSET = `${ADDRESS}.coins::coin`;

/** Returns blocks at the heights `from` to `to`. */
function chain(from: number, to: number): ChainEvent[] {
  return within(from, to).map((height) => at(height, []));
}

/** Applies blocks. A block becomes final when it is `finalBlocks` blocks below the tip. */
function add(store: Store, events: readonly ChainEvent[], finalBlocks: number) {
  return apply(store, events, { finalBlocks });
}

const finalHeight = async (store: Store) => (await readInfo(store)).finalHeight;

describe('finality', () => {
  test('refuses a block of another fork only at final heights', async () => {
    const store = await newIndex();
    await add(store, chain(1, 10), 3);
    expect(await finalHeight(store)).toBe(7);
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

  test('makes no block final because of a block whose parent is missing', async () => {
    const store = await newIndex();
    await add(store, chain(1, 10), 20);
    await add(store, [at(0xffff_fff0, [], { id: 'far', parent: 'unknown' })], 20);
    expect(await finalHeight(store)).toBeUndefined();
    expect(await add(store, [at(2, [], { id: 'f2', parent: 1 })], 20)).toMatchObject({ blocks: 1, refusedBlocks: 0 });
  });

  test('fills a gap at any depth, and then makes blocks above it final', async () => {
    const store = await newIndex();
    await add(store, chain(1, 4), 2);
    expect(await finalHeight(store)).toBe(2);
    await add(store, chain(7, 20), 2);
    expect(await finalHeight(store)).toBe(2);
    expect(await add(store, [at(4, [], { id: 'f4', parent: 3 })], 2)).toMatchObject({ blocks: 1 });
    expect(await add(store, [at(8, [], { id: 'f8', parent: 7 })], 2)).toMatchObject({ blocks: 1 });
    expect(await add(store, chain(6, 6), 2)).toMatchObject({ blocks: 1, refusedBlocks: 0 });
    expect(await finalHeight(store)).toBe(2);
    await add(store, chain(5, 5), 2);
    expect(await finalHeight(store)).toBe(18);
    expect(await add(store, [at(3, [], { id: 'f3', parent: 2 })], 2)).toMatchObject({ refusedBlocks: 1 });
    expect(await countBlocks(store)).toEqual({ canonical: 20, orphaned: 2 });
  });

  test('accepts blocks below the lowest block at any depth', async () => {
    const store = await newIndex();
    const mint = callJson();
    const minting = (height: number) => at(height, [mint], { events: [mintEvent(mint.txid, ASSET, '10')] });
    await add(store, within(5, 20).map(minting), 2);
    expect(await finalHeight(store)).toBe(18);
    await add(store, [1, 2].map(minting), 2);
    expect(await countBlocks(store)).toEqual({ canonical: 16, orphaned: 2 });
    expect(await add(store, [4, 3].map(minting), 2)).toMatchObject({ blocks: 2, refusedBlocks: 0 });
    expect(await countBlocks(store)).toEqual({ canonical: 20, orphaned: 0 });
    expect(await readSupplies(store, [ASSET])).toEqual(new Map([[ASSET, 200n]]));
    expect(await store.selectFrom('supply_change').selectAll().execute()).toHaveLength(2);
    expect(await add(store, [at(2, [], { id: 'f2', parent: 1 })], 2)).toMatchObject({ refusedBlocks: 1 });
  });

  test('refuses the block with which a stored branch from below the final height would win', async () => {
    const store = await newIndex();
    const branch = within(2, 7).map((height) =>
      at(height, [], { id: `f${height}`, parent: height === 2 ? 1 : `f${height - 1}` }),
    );
    await add(store, [...chain(1, 6), ...branch.slice(0, 5)], 8);
    expect(await countBlocks(store)).toEqual({ canonical: 6, orphaned: 5 });
    await add(store, chain(6, 6), 3);
    expect(await finalHeight(store)).toBe(3);
    expect(await add(store, branch.slice(5), 3)).toMatchObject({ blocks: 0, refusedBlocks: 1, orphanedBlocks: 0 });
    expect(await readChainFailures(store, 10)).toMatchObject([
      { code: 'block-gap', subject: hashOf(1) },
      { code: 'fork-too-deep', subject: hashOf('f7') },
    ]);
    expect((await readTip(store))?.indexBlockHash).toBe(hashOf(6));
    await add(store, [at(7, [], { id: 'g7', parent: 'f6' }), ...chain(7, 8)], 3);
    expect((await readTip(store))?.indexBlockHash).toBe(hashOf(8));
  });

  test('refuses a block that fills a gap in a branch from below the final height', async () => {
    const store = await newIndex();
    await add(store, chain(1, 8), 2);
    const fork = (height: number) => at(height, [], { id: `f${height}`, parent: `f${height - 1}` });
    await add(store, [fork(9), fork(10)], 2);
    expect(await finalHeight(store)).toBe(6);
    expect(await add(store, [fork(7), fork(8)], 2)).toMatchObject({ blocks: 2, refusedBlocks: 0 });
    expect(await countBlocks(store)).toEqual({ canonical: 10, orphaned: 2 });
    expect(await add(store, [at(6, [], { id: 'f6', parent: 5 })], 2)).toMatchObject({ blocks: 0, refusedBlocks: 1 });
    expect(await finalHeight(store)).toBe(6);
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

  test('has the same final height after one batch and after many runs', async () => {
    const inOneBatch = await newIndex();
    const blocks = [...chain(1, 30), at(30, [], { id: 'f30', parent: 29 }), ...chain(31, 50)];
    await add(inOneBatch, blocks, 7);
    const path = join(tempFolder(), 'index.sqlite');
    for (const block of blocks) {
      const store = await openIndex(path);
      await add(store, [block], 7);
      await store.destroy();
    }
    expect(await finalHeight(inOneBatch)).toBe(43);
    expect(await finalHeight(await newIndex(path))).toBe(43);
  });
});
