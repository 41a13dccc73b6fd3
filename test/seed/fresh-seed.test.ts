// Tests that an index reads only what was added to a seed at a site.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SEED_SIZES } from '#seed/plan-seed.ts';
import { indexInto } from '../support/index-options.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { indexSeedInto, seedOf, siteOf } from '../support/seeds.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { blockLine, deployJson } from '../support/transactions.ts';

/** Blocks in which every 50th deploys a contract. */
const lines = Array.from({ length: 2_501 }, (_, index) => {
  const height = index + 1;
  const transactions = height % 50 === 1 ? [deployJson(`c${height}`, '(print 1)', { nonce: height })] : [];
  return blockLine({ id: height, parent: index, height, burnHeight: 900_000 + height, transactions }, 'raw');
});

test('fetches the manifest and one part after one new block', async () => {
  const cwd = tempFolder();
  const [archive, db, out] = ['chain.tsv', 'a.sqlite', 'seed'].map((name) => join(cwd, name)) as [
    string,
    string,
    string,
  ];
  const grow = async (blocks: number) => {
    writeFileSync(archive, lines.slice(0, blocks).join(''));
    await indexInto(db, { archives: [archive] });
    return (await seedOf({ db, archives: [archive], out, sizes: SEED_SIZES })).manifest.parts;
  };
  const { url, requests } = await loopbackServer((request, response) => {
    const name = request.url?.slice('/seed/'.length) ?? '';
    if (readdirSync(out).includes(name)) response.end(readFileSync(join(out, name)));
    else response.writeHead(404).end();
  });
  const read = async () => {
    const before = requests.length;
    okOf(await runWarm(['index', '--db', 'b.sqlite', '--no-vm', '--seed', url], { cwd }));
    return requests.slice(before).map((path) => path.slice('/seed/'.length));
  };
  const parts = await grow(2_500);
  expect(await read()).toEqual(['index.json', ...parts.map(({ file }) => file)]);
  expect(await read()).toEqual(['index.json']);

  const grown = await grow(2_501);
  expect(grown.slice(0, -1)).toEqual(parts.slice(0, -1));
  expect(await read()).toEqual(['index.json', grown.at(-1)?.file]);
  expect(readdirSync(out).toSorted()).toEqual([...grown.map(({ file }) => file), 'index.json'].toSorted());
  expect(await siteOf(join(cwd, 'b.sqlite'))).toEqual(await siteOf(db));
});

test('skips orphans at heights that are final in the index, and does not read them again', async () => {
  const cwd = tempFolder();
  const [all, some, db, out] = ['all.tsv', 'some.tsv', 'a.sqlite', 'seed'].map((name) => join(cwd, name)) as [
    string,
    string,
    string,
    string,
  ];
  const chain = lines.slice(0, 10);
  const orphan = blockLine(
    {
      id: 'orphan',
      parent: 4,
      height: 5,
      transactions: [deployJson('orphan', '(print 1)', { nonce: 9_999 })],
    },
    'raw',
  );
  writeFileSync(some, chain.join(''));
  writeFileSync(all, chain.toSpliced(5, 0, orphan).join(''));
  await indexInto(db, { archives: [all] });
  await seedOf({ db, archives: [all], out });
  const index = async (...source: string[]) => {
    const finality = ['--final-blocks', '1'];
    const result = await runWarm(['index', '--db', 'b.sqlite', '--offline', '--no-vm', ...finality, ...source], {
      cwd,
    });
    okOf(result);
    return result.stderr;
  };
  await index('--archive', some);
  await index('--seed', out);
  expect(await index('--seed', out)).toContain(`The index has all blocks of the seed ${out}.`);
});

test('fills a gap below the blocks of the index', async () => {
  const cwd = tempFolder();
  const [all, some, db, out] = [join(cwd, 'all.tsv'), join(cwd, 'some.tsv'), join(cwd, 'a.sqlite'), join(cwd, 'seed')];
  writeFileSync(all, lines.slice(0, 120).join(''));
  writeFileSync(some, lines.slice(70, 120).join(''));
  await indexInto(db, { archives: [all] });
  await seedOf({ db, archives: [all], out, sizes: { range: 100, recent: 50 } });
  const other = join(cwd, 'b.sqlite');
  await indexInto(other, { archives: [some] });
  await indexSeedInto(other, out);
  expect(await siteOf(other)).toEqual(await siteOf(db));
});

test('refuses a seed of another chain of final blocks', async () => {
  const cwd = tempFolder();
  const [ours, theirs, db, out] = [join(cwd, 'o.tsv'), join(cwd, 't.tsv'), join(cwd, 'a.sqlite'), join(cwd, 'seed')];
  const branch = lines.slice(1, 10).map((_, index) => {
    const height = index + 2;
    return blockLine(
      { id: `x${height}`, parent: height === 2 ? 1 : `x${height - 1}`, height, transactions: [] },
      'raw',
    );
  });
  writeFileSync(theirs, lines.slice(0, 10).join(''));
  writeFileSync(ours, [lines[0], ...branch].join(''));
  await indexInto(db, { archives: [theirs], finalBlocks: 1 });
  await seedOf({ db, archives: [theirs], out });
  const other = join(cwd, 'b.sqlite');
  await indexInto(other, { archives: [ours], finalBlocks: 1 });
  const before = await siteOf(other);
  await expect(indexSeedInto(other, out)).rejects.toMatchObject({
    failure: { code: 'seed-refused', message: expect.stringContaining('has other blocks than the index') },
  });
  expect(await siteOf(other)).toEqual(before);
});
