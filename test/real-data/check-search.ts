// Checks the search of contracts with mainnet's names. Usage: node test/real-data/check-search.ts FOLDER
// The search must find every contract of FOLDER/mainnet/principals.txt.gz by its full name in at most three blocks of
// 25 KB gzipped, and by its full id in at most two. The search files may take a tenth of the time of a full build. An
// added contract must change three files, or a few more if it begins a block.
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
import { Random } from '../support/random.ts';
import { deployJson, lineAt } from '../support/transactions.ts';
import { NAMES_FILE, writeNamesArchive } from './all-names.ts';
import { type Checks, runChecks } from './checks.ts';

const MAX_BYTES = 25_000;
/** The number of contracts that a search box shows before the user asks for more. */
const FIRST_RESULTS = 8;
const ADDED_CONTRACTS = 40;

await runChecks('check-search.ts FOLDER', NAMES_FILE, async (checks) => {
  const { input, work, check, ok } = checks;
  const random = new Random(1);
  const archive = join(work, 'names.tsv');
  const blocks = join(work, 'dist', 'search', 'contracts');
  const build = async () => {
    await ok('index', '--archive', archive, '--no-vm', '--offline', '--quiet');
    await ok('build', '--quiet');
  };
  const readFiles = () => new Map(readdirSync(blocks).map((name) => [name, readFileSync(join(blocks, name), 'utf8')]));

  const { ids: names, height } = await writeNamesArchive(archive, input);
  await build();
  await checkCost(checks);
  const files = readFiles();
  const sizes = [...files].map(([name, text]) => [name, text.length, gzipSync(text).length] as const);
  const [, indexBytes, indexGzipped] = sizes.find(([name]) => name === 'index.json') ?? [];
  const largest = Math.max(...sizes.filter(([name]) => name !== 'index.json').map(([, , gzipped]) => gzipped));
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(
    `${names.length} contracts: ${files.size} files, ${total} bytes; ` +
      `the block index has ${indexBytes}, ${indexGzipped} gzipped; ` +
      `the largest block has ${largest} gzipped`,
  );
  const blockIndex = JSON.parse(files.get('index.json') ?? '') as ContractBlockIndex;
  console.log(
    `name patterns: ${Object.entries(blockIndex.families).map(([name, list]) => `${name} (${list.length} blocks)`)}`,
  );
  await checkFinding(check, files, blockIndex, names);

  let maxChanged = 0;
  let aboveThree = 0;
  let before = files;
  for (let round = 0; round < ADDED_CONTRACTS; round++) {
    const { address } = splitContractId(random.pick(names));
    const { name } = splitContractId(random.pick(names));
    const id = `${address}.${name.slice(0, 30)}-${round}`;
    appendFileSync(archive, lineAt(height + round, [deployJson(id, '1')]));
    await build();
    const after = readFiles();
    const changed = [...after].filter(([file, text]) => before.get(file) !== text).length;
    maxChanged = Math.max(maxChanged, changed);
    if (changed > 3) aboveThree++;
    check(`${id} changes at most six files`, changed <= 6, String(changed));
    before = after;
  }
  console.log(
    `another contract changed at most ${maxChanged} files; ${aboveThree} of ${ADDED_CONTRACTS} changed more than three`,
  );
  check('nine of ten contracts change at most three files', aboveThree <= ADDED_CONTRACTS / 10, String(aboveThree));
});

/** Compares the time to read and render only the search files with the time of a full build. */
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
  await ok('build', '--quiet', '--out', 'full');
  const share = search / (performance.now() - full);
  console.log(`the search files take ${Math.round(search)} ms, ${(100 * share).toFixed(1)} % of a full build`);
  check('the search files take at most a tenth of a full build', share <= 0.1, String(share));
}

/**
 * Checks that the search finds every contract by its full id and its full name, and that a search box shows it among
 * the first results.
 */
async function checkFinding(
  check: Checks['check'],
  files: ReadonlyMap<string, string>,
  blockIndex: ContractBlockIndex,
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
    const { found } = await findContracts(blockIndex, readBlock, prefix, enough);
    return { found, requests: read.length, bytes: read.reduce((sum, block) => sum + (sizes.get(block) ?? 0), 0) };
  };
  const max = { id: 0, name: 0, bytes: 0 };
  let missed = 0;
  const idsByName = Map.groupBy(ids, (id) => splitContractId(id).name.toLowerCase());
  for (const [name, sameName] of idsByName) {
    const all = new Set((await find(name)).found);
    missed += sameName.filter((id) => !all.has(id)).length;
    const { found, requests, bytes } = await find(name, FIRST_RESULTS);
    max.name = Math.max(max.name, requests);
    max.bytes = Math.max(max.bytes, bytes);
    const isFirst = found.slice(0, Math.min(FIRST_RESULTS, sameName.length)).every((id) => sameName.includes(id));
    check(`a search box shows ${name} first`, isFirst && found.length >= Math.min(FIRST_RESULTS, sameName.length));
    for (const id of sameName) {
      const result = await find(id);
      max.id = Math.max(max.id, result.requests);
      if (result.found[0] !== id) missed++;
    }
  }
  console.log(
    `an id takes at most ${max.id} requests; ` +
      `${FIRST_RESULTS} results for a name take ${max.name}, ${max.bytes} bytes gzipped`,
  );
  check('every contract is found by its full name and id', missed === 0, `${missed} are not`);
  check('an id takes at most two requests', max.id <= 2);
  check('a name takes at most three requests', max.name <= 3);
  check('a name takes at most 25 KB', max.bytes <= MAX_BYTES);
}
