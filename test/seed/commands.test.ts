// Tests the commands that make a seed and include it in a site.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectRefused, okOf, runWarm } from '../support/run-cli.ts';
import { copyIndex, filesBelow, sampleIndex } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();

/** Makes a folder with an index of the sample and its seed. Returns functions that run commands there. */
async function world() {
  const cwd = tempFolder();
  copyIndex(db, join(cwd, 'index.sqlite'));
  const run = (command: string, ...args: string[]) => runWarm([command, '--db', 'index.sqlite', ...args], { cwd });
  okOf(await run('seed', '--out', 'seed'));
  const part = readdirSync(join(cwd, 'seed')).find((name) => name.endsWith('.zst')) ?? '';
  return { cwd, run, part: join(cwd, 'seed', part) };
}

test('a build includes the seed, and a build without the option removes it', async () => {
  const { cwd, run } = await world();
  okOf(await run('build'));
  const without = filesBelow(join(cwd, 'dist'));
  okOf(await run('build', '--with-seed', 'seed'));
  const seed = filesBelow(join(cwd, 'seed')).map((name) => `seed/${name}`);
  expect(filesBelow(join(cwd, 'dist'))).toEqual([...without, ...seed].sort());
  okOf(await run('build'));
  expect(filesBelow(join(cwd, 'dist'))).toEqual(without);
});

test('names a damaged part, which can be deleted and made again', async () => {
  const { cwd, run, part } = await world();
  const bytes = readFileSync(part);
  const other = Buffer.from(bytes);
  other[100] = (other[100] ?? 0) ^ 1;
  writeFileSync(part, other);
  expectRefused(await run('build', '--with-seed', 'seed'), 'is missing or damaged. Nothing was changed. Delete it');
  rmSync(part);
  okOf(await run('seed', '--out', 'seed'));
  expect(readFileSync(part).equals(bytes)).toBe(true);
  okOf(await run('build', '--with-seed', 'seed'));
  // A damaged part that the seed still needs is made again from the archives.
  writeFileSync(part, other);
  okOf(await run('seed', '--out', 'seed'));
  expect(readFileSync(part).equals(bytes)).toBe(true);
  expect(filesBelow(join(cwd, 'dist')).some((path) => path.startsWith('seed/'))).toBe(true);
});

test('refuses a folder in a build, a folder with other files, and a seed of another chain', async () => {
  const { cwd, run } = await world();
  okOf(await run('build'));
  expectRefused(await run('seed', '--out', 'dist/seed'), '--out is dist/seed, which is inside a build');
  writeFileSync(join(cwd, 'seed/notes.txt'), '');
  expectRefused(await run('seed', '--out', 'seed'), 'seed contains notes.txt, which does not belong to a seed');
  rmSync(join(cwd, 'seed/notes.txt'));
  writeFileSync(join(cwd, 'seed/Thumbs.db'), '');
  okOf(await run('seed', '--out', 'seed'));
  const manifest = join(cwd, 'seed/index.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"chain_id": \d+/, '"chain_id": 1'));
  for (const [command, flag] of [
    ['seed', '--out'],
    ['build', '--with-seed'],
  ] as const)
    expectRefused(await run(command, flag, 'seed'), 'seed has the seed of chain 0x00000001, but the index holds');
  expectRefused(await run('build', '--with-seed', 'nothing'), '--with-seed is nothing, which has no index.json');
});

test('refuses options that do not fit together', async () => {
  const { run } = await world();
  for (const [args, message] of [
    [['index', '--seed-hash', '00'.repeat(32)], '--seed-hash needs --seed'],
    [['index', '--seed', 'https://example.org', '--offline'], '--offline cannot download a seed from a URL'],
    [['index', '--seed', 'nothing'], 'There is no seed at nothing'],
    [['follow', '--archive', 'chain.tsv'], '--archive needs --write-seed'],
  ] as const)
    expectRefused(await run(args[0], ...args.slice(1)), message);
});
