// Tests that clients find each contract in the search files, and that a new contract changes few of these files.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { c32address } from 'c32check';
import { beforeAll, expect, test } from 'vitest';
import { findByPart, unpackNames } from '#explorer/find-by-part.ts';
import { findContracts } from '#explorer/find-in-blocks.ts';
import { splitContractId } from '#model/principal.ts';
import { packNames } from '#routes/pack-names.ts';
import type { BlockRow, ContractBlockIndex, ContractNames } from '#routes/search-blocks.ts';
import { pathOf, runProgram } from '../support/example-scripts.ts';
import { EMPTY_INTERFACE } from '../support/interfaces.ts';
import { expectLinear } from '../support/linear-time.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { Random } from '../support/random.ts';
import { okOf, runWarm } from '../support/run-cli.ts';
import { readTree } from '../support/sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';
import { deployJson, lineAt } from '../support/transactions.ts';

const FOLDER = 'search/contracts';
const MEMBERS = 1_200;
const WORDS = ['token', 'Token', 'swap', 'vault', 'stx', 'dao', 'bridge', 'x', 'oracle-v2', 'nft_market'];

const random = new Random(7);
const address = () => c32address(22, random.bytes(20).toString('hex'));
const [deployer, registrar] = [address(), address()];
const words = () => `${random.pick(WORDS)}-${random.pick(WORDS)}-${random.pick(WORDS)}`;
/** The ids of all contracts. Several blocks are needed for the name `wrapped`. Most names differ only in digits. */
const ids = [
  ...new Set(Array.from({ length: 900 }, () => `${deployer}.${words()}`)),
  ...Array.from({ length: 700 }, () => `${address()}.${random.pick(['wrapped', 'Wrapped'])}`),
  ...Array.from({ length: MEMBERS }, (_, index) => `${registrar}.bns-${index}-v${index % 10}`),
  `${registrar}.bns-7000`,
  `${registrar}.bns-70-v5-fixed`,
  // This name has the same first letters as addresses.
  `${registrar}.spa`,
];

const cwd = tempFolderForFile();
const archive = join(cwd, 'chain.tsv');
let height = 0;

function deploy(contractIds: readonly string[]): void {
  const deploys = contractIds.map((id) => deployJson(id, '(define-constant a u1)', { interface: EMPTY_INTERFACE }));
  appendFileSync(archive, lineAt(height++, deploys));
}

async function build(): Promise<Map<string, string>> {
  okOf(await runWarm(['index', '--archive', archive, '--offline', '--no-vm'], { cwd }));
  okOf(await runWarm(['build'], { cwd }));
  return new Map([...readTree(join(cwd, 'dist'))].filter(([path]) => /^search\/(?:contracts|names)\//.test(path)));
}

let tree: Map<string, string>;
beforeAll(async () => {
  writeFileSync(archive, '');
  deploy(ids);
  tree = await build();
});

const blockIndexOf = (files: ReadonlyMap<string, string>) =>
  JSON.parse(files.get(`${FOLDER}/index.json`) ?? '') as ContractBlockIndex;
const rowsOf = (id: string) => JSON.parse(tree.get(`${FOLDER}/${id}`) ?? '') as BlockRow[];
const members = (fence: readonly (readonly [string, string])[]) =>
  fence.flatMap(([, id]) => rowsOf(id)).flatMap(([group, ...rest]) => rest.map((member) => [group, member] as const));

test('has every contract in one block by name, and in one block by address', () => {
  const { names, addresses } = blockIndexOf(tree);
  const byAddress = members(addresses).map(([group, name]) => `${group}.${name}`);
  expect(byAddress).toEqual(ids.toSorted());
  const byName = members(names).map(([name, address]) => `${address}.${name}`);
  expect(byName.toSorted()).toEqual(ids.toSorted());
  const blocks = [...names, ...addresses].map(([, id]) => `${FOLDER}/${id}`);
  expect([...blocks, `${FOLDER}/index.json`, 'search/names/index.json'].toSorted()).toEqual(
    [...tree.keys()].toSorted(),
  );
  expect(names.length).toBeGreaterThan(2);
});

/** The number of contracts whose name contains the text, in any case. */
const countContaining = (text: string) =>
  ids.filter((id) => splitContractId(id).name.toLowerCase().includes(text.toLowerCase())).length;

test('finds every name that contains a text in one file, and counts its contracts', () => {
  const names = JSON.parse(tree.get('search/names/index.json') ?? '') as ContractNames;
  for (const text of ['RAPPE', 'ns-', 'token-swap', 'no-such-name', 'v', 'V7', 'ns-70', '70-v5', '7', 'spa', '_m']) {
    const found = findByPart(names, text);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    const containing = found.filter(({ name }) => name.includes(text.toLowerCase()));
    const total = containing.reduce((sum, { count }) => sum + count, 0);
    expect([text, total]).toEqual([text, countContaining(text)]);
    for (const { name, count, blocks } of found.slice(0, 3)) {
      const rows = blocks.flatMap(rowsOf).filter(([group]) => group.toLowerCase() === name);
      expect(rows.flatMap(([, ...addresses]) => addresses)).toHaveLength(count);
    }
  }
  for (const [block, packed] of names.blocks)
    for (const { name, count } of unpackNames(packed)) {
      const rows = rowsOf(block).filter(([group]) => group.toLowerCase() === name);
      expect(rows.flatMap(([, ...addresses]) => addresses)).toHaveLength(count);
    }
});

test('unpacks packed names unchanged', () => {
  const draws = new Random(11);
  for (let round = 0; round < 300; round++) {
    const made = Array.from({ length: draws.within(1, 20) }, () =>
      Array.from({ length: draws.within(1, 60) }, () => draws.pick(['a', 'b', '-', '0', '7'])).join(''),
    );
    const counted = [...new Set(made)].sort().map((name) => ({ name, count: draws.within(1, 3) }));
    expect([...unpackNames(packNames(counted))]).toEqual(counted);
  }
  expect([...unpackNames('')]).toEqual([]);
});

test('searches names of 128 characters that share their beginning in linear time', async () => {
  await expectLinear((count) => {
    const made = Array.from({ length: count }, (_, index) => `${'a'.repeat(120)}${100_000 + index}`);
    const packed = packNames(made.map((name) => ({ name, count: 1 })));
    expect(findByPart({ blocks: [['x', packed]] }, 'a'.repeat(60))).toHaveLength(count);
  }, 5_000);
});

/** Returns the ids that begin with the prefix, with an address in any case, and ids whose names begin with it. */
const beginning = (prefix: string) =>
  ids.filter(
    (id) =>
      id.startsWith(prefix.replace(/^s[mnpt][^.]*/i, (address) => address.toUpperCase())) ||
      splitContractId(id).name.toLowerCase().startsWith(prefix.toLowerCase().replaceAll(' ', '-')),
  );
const LOWER = registrar.toLowerCase();
const PREFIXES = [
  ...['wrapped', 'WRAPPED', 'BNS', 'bns-70', 'bns-7000', 'bns-70-v5', 's', 'SP', 'token-', registrar, 'no-such'],
  ...['token swap', 'bns 70', 'sp', 'spa', LOWER.slice(0, 5), LOWER, `${LOWER}.`, `${LOWER}.bns-70`],
];

const find = async (prefix: string, enough?: number) => {
  const read: string[] = [];
  const readBlock = async (block: string) => {
    read.push(block);
    return rowsOf(block);
  };
  return { ...(await findContracts(blockIndexOf(tree), readBlock, prefix, enough)), requests: read.length };
};

test('finds all contracts with a prefix, and their number', async () => {
  for (const prefix of PREFIXES) {
    const { found, read, of, requests } = await find(prefix);
    expect([prefix, found.toSorted()]).toEqual([prefix, beginning(prefix).toSorted()]);
    expect([read, requests]).toEqual([of, of]);
    const some = await find(prefix, 8);
    // `read` is the number of blocks that were read. It is smaller than `of`, the number of all blocks, if results are
    // missing.
    if (some.read < some.of) expect(some.found.length).toBeGreaterThanOrEqual(8);
    else expect(some.found).toEqual(found);
  }
});

test('finds exact names first, with few requests', async () => {
  for (const id of ids.filter((id, index) => index % 9 === 0 || /\.bns-70/.test(id))) {
    const { name } = splitContractId(id);
    const same = new Set(ids.filter((other) => splitContractId(other).name.toLowerCase() === name.toLowerCase()));
    const byName = await find(name.toUpperCase().replace(/^S/, 's'), 8);
    expect(byName.found.slice(0, Math.min(8, same.size)).every((found) => same.has(found))).toBe(true);
    expect(byName.requests).toBeLessThanOrEqual(3);
    const byId = await find(id, 8);
    expect(byId.found[0]).toBe(id);
    expect(byId.requests).toBeLessThanOrEqual(2);
  }
});

test('the client in examples/ finds the same contracts on a static host', async () => {
  const { url } = await loopbackServer((request, response) => {
    const body = tree.get((request.url ?? '').slice(1));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  const client = (...args: string[]) => runProgram(pathOf('examples/node/search.mjs'), args);
  for (const prefix of PREFIXES) {
    const { stdout } = await client(url, prefix);
    expect([prefix, stdout.split('\n').slice(0, -1).toSorted()]).toEqual([prefix, beginning(prefix).toSorted()]);
  }
  expect(await client(`${url}/nowhere`, 'bns')).toEqual({
    status: 1,
    stdout: '',
    stderr: `search: ${url}/nowhere/search/contracts/index.json returned status 404\n`,
  });
});

test('a new contract changes at most four files', async () => {
  for (const id of [`${deployer}.more`, `${address()}.wrapped`, `${registrar}.bns-7777-v1`]) {
    deploy([id]);
    const after = await build();
    const changed = [...after].filter(([path, body]) => tree.get(path) !== body);
    expect([id, changed.length <= 4 && changed.length >= 2]).toEqual([id, true]);
    expect([...tree.keys()].filter((path) => !after.has(path))).toEqual([]);
    tree = after;
  }
});
