// This script checks the search of contracts on mainnet's names: node test/real-data/check-search.ts FOLDER
// Every contract of FOLDER/mainnet/principals.txt.gz is found by its whole name, with three blocks of 25 KB gzipped at
// most, and by its whole id, with two; the search files cost a tenth of a full build at most; and one contract more
// changes three files, and a few more where it begins a block.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findContracts } from '#explorer/find-in-blocks.ts';
import { splitContractId } from '#model/principal.ts';
import { contractSearch } from '#routes/contract-search.ts';
import type { Route } from '#routes/route.ts';
import type { BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';
import { tokenSearch } from '#routes/token-search.ts';
import { openIndex } from '#store/index-database.ts';
import { blockOfDeploys, unsignedDeploy } from '../../scripts/unsigned-deploy.ts';
import { Random } from '../support/random.ts';
import { NAMES_FILE, writeNamesArchive } from './all-names.ts';
import { type Checks, runChecks } from './checks.ts';

const MAX_BYTES = 25_000;
/** As many as a search box shows at first. */
const SHOWN = 8;
const MORE = 40;

await runChecks('check-search.ts FOLDER', NAMES_FILE, async (checks) => {
  const { given, work, check, ok } = checks;
  const random = new Random(1);
  const archive = join(work, 'names.tsv');
  const blocks = join(work, 'dist', 'search', 'contracts');
  const build = async () => {
    await ok('index', '--archive', archive, '--no-vm', '--offline', '--quiet');
    await ok('build', '--quiet');
  };
  const readFiles = () => new Map(readdirSync(blocks).map((name) => [name, readFileSync(join(blocks, name), 'utf8')]));

  const { ids: names, height } = await writeNamesArchive(archive, given);
  await build();
  await checkCost(checks);
  const files = readFiles();
  const sizes = [...files].map(([name, text]) => [name, text.length, gzipSync(text).length] as const);
  const [, indexBytes, indexGzipped] = sizes.find(([name]) => name === 'index.json') ?? [];
  const largest = Math.max(...sizes.filter(([name]) => name !== 'index.json').map(([, , gzipped]) => gzipped));
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(
    `${names.length} contracts: ${files.size} files, ${total} bytes; the fence has ${indexBytes}, ${indexGzipped} gzipped; ` +
      `the largest block has ${largest} gzipped`,
  );
  const fence = JSON.parse(files.get('index.json') ?? '') as ContractBlockIndex;
  console.log(`families: ${Object.entries(fence.families).map(([name, of]) => `${name} (${of.length} blocks)`)}`);
  await checkFinding(check, files, fence, names);

  let most = 0;
  let begun = 0;
  let before = files;
  for (let round = 0; round < MORE; round++) {
    const { address } = splitContractId(random.pick(names));
    const { name } = splitContractId(random.pick(names));
    const id = `${address}.${name.slice(0, 30)}-${round}`;
    appendFileSync(archive, blockOfDeploys(height + round, [unsignedDeploy(id, '1', 0, null)]));
    await build();
    const after = readFiles();
    const changed = [...after].filter(([file, text]) => before.get(file) !== text).length;
    most = Math.max(most, changed);
    if (changed > 3) begun++;
    check(`${id} changes six files at most`, changed <= 6, String(changed));
    before = after;
  }
  console.log(`one contract more changed ${most} files at most; ${begun} of ${MORE} changed more than three`);
  check('most contracts change three files at most', begun <= MORE / 10, String(begun));
});

/** Reading and rendering them, beside a full build. */
async function checkCost({ work, check, ok }: Checks): Promise<void> {
  const store = await openIndex(join(work, 'data', 'index.sqlite'));
  const options = { publicUrl: '' };
  const start = performance.now();
  for (const route of [contractSearch, tokenSearch] as readonly Route[]) {
    const { pages } = await route.subject.changes(store, 0, options);
    for await (const entries of pages)
      for (const { stored } of entries) [...route.render(route.subject.open(stored), options)].map(({ body }) => body);
  }
  const search = performance.now() - start;
  await store.destroy();
  const full = performance.now();
  await ok('build', '--quiet', '--out', 'anew');
  const share = search / (performance.now() - full);
  console.log(`the search files take ${Math.round(search)} ms, ${(100 * share).toFixed(1)} % of a full build`);
  check('the search files cost a tenth of a full build at most', share <= 0.1, String(share));
}

/** By its whole id, by its whole name with all that is called so, and what a search box shows at once. */
async function checkFinding(
  check: Checks['check'],
  files: ReadonlyMap<string, string>,
  fence: ContractBlockIndex,
  ids: readonly string[],
) {
  const sizes = new Map([...files].map(([file, text]) => [file, gzipSync(text).length]));
  const rows = new Map([...files].map(([file, text]) => [file, JSON.parse(text) as BlockRow[]]));
  const find = async (prefix: string, enough?: number) => {
    const read: string[] = [];
    const readBlock = async (block: string) => {
      read.push(block);
      return rows.get(block) ?? [];
    };
    const { found } = await findContracts(fence, readBlock, prefix, enough);
    return { found, requests: read.length, bytes: read.reduce((sum, block) => sum + (sizes.get(block) ?? 0), 0) };
  };
  const most = { id: 0, name: 0, bytes: 0 };
  let missed = 0;
  const called = Map.groupBy(ids, (id) => splitContractId(id).name.toLowerCase());
  for (const [name, own] of called) {
    const whole = new Set((await find(name)).found);
    missed += own.filter((id) => !whole.has(id)).length;
    const { found, requests, bytes } = await find(name, SHOWN);
    most.name = Math.max(most.name, requests);
    most.bytes = Math.max(most.bytes, bytes);
    const isFirst = found.slice(0, Math.min(SHOWN, own.length)).every((id) => own.includes(id));
    check(`${name} is what a search box shows first`, isFirst && found.length >= Math.min(SHOWN, own.length));
    for (const id of own) {
      const one = await find(id);
      most.id = Math.max(most.id, one.requests);
      if (one.found[0] !== id) missed++;
    }
  }
  console.log(
    `an id takes ${most.id} requests at most; a name ${most.name} until ${SHOWN} are found, ${most.bytes} bytes gzipped`,
  );
  check('every contract is found by its whole name and by its whole id', missed === 0, `${missed} are not`);
  check('an id takes two requests', most.id <= 2);
  check('a name takes three requests', most.name <= 3);
  check('a name takes 25 KB', most.bytes <= MAX_BYTES);
}
