// A site that several machines index and build, each a shard of the contracts, and that `merge` makes whole.
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { expectRefused, okOf, runWarm } from '../support/run-warm.ts';
import { PRESSER, readTree, SAMPLE_ARCHIVE } from '../support/sample.ts';
import { serveFolder } from '../support/served-sample.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const lines = readFileSync(SAMPLE_ARCHIVE, 'utf8').split(/(?<=\n)/);
/** A part of the sample that ends before its forks do, and the rest. */
const PARTS = [lines.slice(0, lines.length - 12).join(''), lines.slice(lines.length - 12).join('')];

/** What a single machine makes. */
const alone = tempFolderForFile();
let whole: ReturnType<typeof readTree>;
let part: ReturnType<typeof readTree>;

/** A command as it is typed. */
const run = async (cwd: string, command: string) => {
  const ran = await runWarm(command.split(' '), { cwd });
  expect(ran.stderr + ran.stdout).not.toContain('at file:');
  return ran;
};
const ok = async (cwd: string, command: string) => okOf(await run(cwd, command));
const refused = async (cwd: string, command: string, says: string | RegExp) =>
  expectRefused(await run(cwd, command), says);

beforeAll(async () => {
  writeParts(alone);
  const grown = async (archive: string) => {
    await ok(alone, `index --archive ${archive} --offline --nft images`);
    await ok(alone, 'build');
    return readTree(join(alone, 'dist'));
  };
  part = await grown('0.tsv');
  whole = await grown('1.tsv');
  // A file that came with a block that is orphaned later is gone again.
  expect([...part.keys()].some((path) => !whole.has(path))).toBe(true);
  expect(part).not.toEqual(whole);
  // Nothing waits for the network.
  const pending = whole.get(`metadata/v1/ft/${PRESSER}.pending-token`) ?? '';
  expect(JSON.parse(pending)).toMatchObject({ name: 'Pending Token', token_uri: 'https://example.org/tokens/1.json' });
  expect(pending).not.toContain('"metadata"');
});

/** What `shard` of `of` does, in folders of its own. */
async function runShard(cwd: string, shard: number, of: number, archive: string): Promise<void> {
  const own = `--db ${shard}/index.sqlite`;
  await ok(cwd, `index ${own} --archive ${archive} --offline --nft images --shard ${shard}/${of}`);
  await ok(cwd, `build ${own} --out ${shard}/dist`);
}

/** All files of all shards and of the merge, as a storage has them that all are published to. */
function union(cwd: string, of: number, folder = tempFolder()) {
  for (const from of [...Array.from({ length: of }, (_, index) => `${index + 1}/dist`), 'dist'])
    cpSync(join(cwd, from), folder, { recursive: true });
  rmSync(join(folder, '.stxpress'), { recursive: true });
  return readTree(folder);
}

function writeParts(folder = tempFolder()): string {
  for (const [index, text] of PARTS.entries()) writeFileSync(join(folder, `${index}.tsv`), text);
  writeFileSync(join(folder, 'whole.tsv'), PARTS.join(''));
  return folder;
}

test('all files together are those of one build, and stay so as the chain grows and one is run anew', async () => {
  const [cwd, of] = [writeParts(), 3];
  for (const shard of [1, 2, 3]) await runShard(cwd, shard, of, '0.tsv');
  await ok(cwd, 'merge');
  expect(union(cwd, of)).toEqual(part);

  await runShard(cwd, 1, of, '1.tsv');
  await runShard(cwd, 3, of, '1.tsv');
  // Of the second one nothing is left.
  rmSync(join(cwd, '2'), { recursive: true });
  rmSync(join(cwd, 'data/shards/shard-2-of-3.sqlite'));
  await refused(cwd, 'merge', 'lacks the export of shard 2/3.');
  await runShard(cwd, 2, of, 'whole.tsv');
  await ok(cwd, 'merge');
  // A file that came with a block that is orphaned now is in no build any more.
  expect(union(cwd, of)).toEqual(whole);
  // A merge of the same changes nothing.
  const again = await ok(cwd, 'merge');
  expect(again).toContain(' 0 files written');
  const { site_hash: hash } = JSON.parse(whole.get('metadata/v1/index.json') ?? '') as { site_hash: string };
  expect(again).toContain(`The hash of its answers is ${hash}.`);

  // The merge knows the answers of all.
  const published = tempFolder();
  union(cwd, of, published);
  const { server, base } = await serveFolder(published);
  onTestFinished(() => void server.close());
  expect(await ok(cwd, `verify ${base} --all`)).toContain(`${base} is the site of dist, ${hash}: `);
});

test('error: an index stays what it was begun as', async () => {
  const cwd = writeParts();
  await ok(cwd, 'index --archive 0.tsv --offline --no-vm --shard 2/3');
  await refused(cwd, 'index --archive 1.tsv --offline --shard 1/3', 'is an index of shard 2/3, and --shard');
  // Without the flag it goes on as what it is.
  await ok(cwd, 'index --archive 1.tsv --offline --no-vm');
  expect(await ok(cwd, 'status')).toContain('Shard      2 of 3');
  await ok(cwd, 'index --db whole.sqlite --archive 0.tsv --offline --no-vm');
  await refused(cwd, 'index --db whole.sqlite --shard 1/3', 'is an index of all contracts');
  await refused(cwd, 'index --shard 4/3', 'from 1/8 to 8/8');
});

test('error: shards that are not those of one site are not merged', async () => {
  const cwd = writeParts();
  const build = (shard: number, of: number, more = '') =>
    ok(cwd, `build --db ${shard}-${of}.sqlite --out ${shard}-${of}${more}`);
  const index = (shard: number, of: number, archive: string) =>
    ok(cwd, `index --db ${shard}-${of}.sqlite --archive ${archive} --no-vm --offline --shard ${shard}/${of}`);
  await refused(cwd, 'merge', 'There are no exports of shards in data/shards');
  await index(1, 2, '0.tsv');
  await index(2, 2, 'whole.tsv');
  await build(1, 2);
  await build(2, 2);
  await refused(cwd, 'merge', /differ in the tip of their blocks: \d+ 0x/);
  await index(1, 2, '1.tsv');
  await build(1, 2, ' --public-url https://tokens.example.org');
  await refused(cwd, 'merge', '--public-url: https://tokens.example.org and none');
  await index(3, 4, 'whole.tsv');
  await build(3, 4);
  await refused(cwd, 'merge', 'holds exports of 2 and of 4 shards');
  rmSync(join(cwd, 'data/shards/shard-3-of-4.sqlite'));
  await build(1, 2);
  await ok(cwd, 'index --db 2-2.sqlite --no-vm --offline --nft images');
  await build(2, 2);
  await refused(cwd, 'merge', 'differ in --nft: uris and images');
  await ok(cwd, 'index --db 1-2.sqlite --no-vm --offline --nft images');
  await build(1, 2);
  renameSync(join(cwd, 'data/shards/shard-1-of-2.sqlite'), join(cwd, 'data/shards/shard-2-of-2.sqlite'));
  cpSync(join(cwd, 'data/shards/shard-2-of-2.sqlite'), join(cwd, 'data/shards/shard-1-of-2.sqlite'));
  await refused(cwd, 'merge', 'is not the export of the shard that its name says');
});
