// Tests that a seed is not made from an index that lacks a block of its chain.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexInto } from '../support/index-options.ts';
import { seedOf } from '../support/seeds.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine } from '../support/transactions.ts';

type Id = number | string;
const block = (id: Id, parent: Id, height: number) =>
  blockLine({ id, parent, height, burnHeight: 900_000 + height, transactions: [] }, 'raw');
const chain = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => block(from + index, from + index - 1, from + index));

/** Makes a seed of an index of these lines. `blocks` are final below this number of blocks. */
async function makeSeedOf(lines: readonly string[], blocks = 10_000) {
  const folder = tempFolder();
  const [db, archive, out] = [join(folder, 'a.sqlite'), join(folder, 'chain.tsv'), join(folder, 'seed')];
  writeFileSync(archive, lines.join(''));
  await indexInto(db, { archives: [archive], finalBlocks: blocks });
  return (await seedOf({ db, archives: [archive], out })).manifest.tip.block_height;
}

test.each([
  ['the end of the chain', [...chain(1, 4), ...chain(6, 8)], 6],
  ['the middle of the chain, whose end is longer', [...chain(1, 3), ...chain(5, 20)], 5],
  ['one block above the gap', [...chain(1, 4), block(6, 5, 6)], 6],
  ['a fork that may still win', [...chain(1, 8), block('b', 'a', 6)], 6],
  ['the beginning of a chain that begins later', chain(100, 104), 100],
])('refuses an index with a gap below %s', async (_, lines, height) => {
  await expect(makeSeedOf(lines)).rejects.toMatchObject({
    failure: { code: 'seed-incomplete', message: expect.stringContaining(`lacks blocks below height ${height}, `) },
  });
});

test.each([
  ['that was filled', [...chain(1, 4), ...chain(6, 8), ...chain(5, 5)], 8],
  ['below block 1', chain(1, 3), 3],
  ['in a fork below a final block', [...chain(1, 9), block('b', 'a', 4)], 9],
])('makes a seed of an index with a gap %s', async (_, lines, tip) => {
  expect(await makeSeedOf(lines, 3)).toBe(tip);
});
