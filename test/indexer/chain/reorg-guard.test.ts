// Tests that an archive or a seed orphans many blocks of an index only with permission.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEED_SIZES } from '#seed/plan-seed.ts';
import { expectRefused, okOf, runWarm } from '../../support/run-cli.ts';
import { seedOf, siteOf } from '../../support/seeds.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type BlockOptions, blockLine, deployJson } from '../../support/transactions.ts';

/** Returns blocks of a branch from height `from` to below `to`. Branches share the block at height 0. */
function branch(name: string, from: number, to: number, more: Partial<BlockOptions> = {}): string {
  const id = (height: number) => (height === 0 ? 'genesis' : `${name}${height}`);
  const lines = Array.from({ length: to - from }, (_, at) => {
    const height = from + at;
    return blockLine({ id: id(height), parent: id(height - 1), height, ...more });
  });
  return lines.join('');
}

/** Returns a branch on top of a block. */
function branchOn(parent: string, name: string, from: number, to: number): string {
  return blockLine({ id: `${name}${from}`, parent, height: from }) + branch(name, from + 1, to);
}

const GENESIS = branch('', 0, 1);
const CONTRACT = { transactions: [deployJson('c', '(print 1)')] };

/** Makes a folder with an index of a branch that has a contract at height 1. Returns functions that use it. */
async function world(height: number) {
  const cwd = tempFolder();
  const index = (...args: string[]) => runWarm(['index', '--db', 'i.sqlite', '--offline', '--no-vm', ...args], { cwd });
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write('a.tsv', GENESIS + branch('a', 1, 2, CONTRACT) + branch('a', 2, height + 1));
  okOf(await index('--archive', 'a.tsv'));
  return { cwd, index, write, site: () => siteOf(join(cwd, 'i.sqlite')) };
}

test('refuses to orphan more than 100 blocks of the index, and changes no stored data', async () => {
  const { cwd, index, write, site } = await world(101);
  const before = await site();
  write('b.tsv', GENESIS + branch('b', 1, 400));
  const effect = 'orphans 101 blocks of the index from height 1, and adds 399';
  expectRefused(await index('--archive', 'b.tsv'), `b.tsv ${effect}. This was not stored`);
  okOf(await runWarm(['index', '--db', 'b.sqlite', '--archive', 'b.tsv', '--offline', '--no-vm'], { cwd }));
  const seed = join(cwd, 'seed');
  await seedOf({ db: join(cwd, 'b.sqlite'), archives: [join(cwd, 'b.tsv')], out: seed, sizes: SEED_SIZES });
  expectRefused(await index('--seed', seed), effect);
  expect(await site()).toEqual(before);
  const { status, stderr } = await index('--archive', 'b.tsv', '--allow-reorg');
  expect([status, stderr]).toEqual([0, expect.stringContaining(`warning: b.tsv ${effect}.`)]);
  expect((await site()).get('metadata/v1/index.json')).toContain('"block_height":399');
});

test('counts the blocks that all sources of a run orphan', async () => {
  const { index, write } = await world(150);
  write('b.tsv', branch('a', 99, 100) + branchOn('a99', 'b', 100, 152));
  write('c.tsv', branchOn('a90', 'c', 91, 153));
  expectRefused(await index('--archive', 'b.tsv', '--archive', 'c.tsv'), 'c.tsv orphans 60 blocks of the index');
});

test('warns before fewer blocks are added than orphaned', async () => {
  const { index, write } = await world(50);
  write('b.tsv', branch('b', 1, 2) + blockLine({ id: 'b51', parent: 'b1', height: 51 }));
  const { status, stderr } = await index('--archive', 'b.tsv');
  const message = 'warning: b.tsv orphans 50 blocks of the index from height 1, and adds 2.';
  expect([status, stderr]).toEqual([0, expect.stringContaining(message)]);
});

test('orphans any number of blocks that the run itself added', async () => {
  const { index, write } = await world(2);
  write('b.tsv', branch('a', 3, 300) + branchOn('a2', 'b', 3, 302));
  expect((await index('--archive', 'b.tsv')).stderr).not.toContain('orphans');
});
