import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findHosts } from '#hosts/all.ts';
import { type Reporter, silentReporter } from '#model/reporter.ts';
import type { BuildOptions } from '#press/build-options.ts';
import { openIndex } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { buildIndex } from '../support/build-options.ts';
import { indexInto } from '../support/index-options.ts';
import { COLLECTION_INTERFACE, EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import {
  addressOf,
  blockLine,
  burnEvent,
  callJson,
  deployJson,
  type Json,
  nftEvent,
  TEST_KEY,
} from '../support/observer-lines.ts';
import { COLLECTOR, copyIndex, expectedSample, filesBelow, indexSample, PRESSER, readTree } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { tempFolder, tempFolderForFile } from '../support/temp-folder.ts';

const sample = join(tempFolderForFile(), 'index.sqlite');
beforeAll(() => indexSample(sample));

const expectFailure = (run: Promise<unknown>, code: string, message: string) =>
  expect(run).rejects.toMatchObject({ failure: { code, message: expect.stringContaining(message) } });

/** Runs an index of an archive with these lines, if there are any. */
const indexLines = async (db: string, lines: string) => {
  const archive = join(tempFolder(), 'chain.tsv');
  writeFileSync(archive, lines);
  await indexInto(db, { archives: lines === '' ? [] : [archive] });
};

/** Runs an index of an archive that has a contract in a block each. */
const indexDeploys = (db: string, names: readonly string[]) => {
  const lines = names.map((name, at) => {
    const transactions = [deployJson(name, `(define-constant ${name} u1)`, { clarityVersion: 2 })];
    return blockLine({ id: name, parent: names[at - 1] ?? 'none', height: name.charCodeAt(0), transactions });
  });
  return indexLines(db, lines.join(''));
};

const SAMPLE_CHAIN_ID = 0x53545850;

describe('runBuild', () => {
  test('default', async () => {
    const out = join(tempFolder(), 'dist');
    const summary = await buildIndex(sample, out);
    const tree = readTree(out);
    expect(summary).toMatchObject({ written: tree.size, unchanged: 0, removed: 0, files: tree.size });
    for (const [path, body] of expectedSample()) expect(tree.get(path)).toBe(body);
    expect(readdirSync(join(out, '.stxpress')).sort()).not.toContain('staging');
  });

  test('behavior: a second build writes nothing', async () => {
    const out = tempFolder();
    const first = await buildIndex(sample, out);
    expect(await buildIndex(sample, out)).toMatchObject({
      written: 0,
      removed: 0,
      unchanged: first.files,
      files: first.files,
      bytes: first.bytes,
    });
    expect(await buildIndex(sample, out, { full: true })).toMatchObject({
      written: 0,
      removed: 0,
      unchanged: first.files,
    });
  });

  test('behavior: one changed contract writes its files alone', async () => {
    const folder = tempFolder();
    const db = copyIndex(sample, join(folder, 'index.sqlite'));
    const out = join(folder, 'dist');
    await buildIndex(db, out);
    const call = callJson({ chainId: SAMPLE_CHAIN_ID });
    await indexLines(db, sampleBlock([call], [burnEvent(call.txid, `${PRESSER}.press-token::press`, '1250000')]));
    const before = readTree(out);
    const summary = await buildIndex(db, out);
    const changes = readFileSync(join(out, '.stxpress/changes.ndjson'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string });
    const path = `metadata/v1/ft/${PRESSER}.press-token`;
    const after = readTree(out);
    const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
      (one) => before.get(one) !== after.get(one),
    );
    expect(changes.map((change) => change.path).sort()).toEqual(differing.sort());
    expect(differing).toEqual(
      expect.arrayContaining([path, `variants/locale/de/${path}`, 'metadata/v1/ft/index.json']),
    );
    // What another contract answers is as it was; the unconfirmed one is left behind by the new tip.
    const ofOthers = differing.filter((one) => /\bST[A-Z0-9]+/.test(one) && !one.endsWith('.press-token'));
    expect(ofOthers).toEqual([
      `extended/v1/contract/${COLLECTOR}.unconfirmed`,
      `variants/tip/latest/v2/contracts/interface/${COLLECTOR}/unconfirmed`,
    ]);
    expect(summary).toMatchObject({ written: differing.length - 1, removed: 1 });
    // 0 is a supply like any other.
    expect(JSON.parse(after.get(path) ?? '')).toMatchObject({ total_supply: '0' });
    // No empty folders stay behind, and a build from nothing has the same bytes.
    expect(existsSync(join(out, 'variants/tip'))).toBe(false);
    const fresh = join(folder, 'fresh');
    await buildIndex(db, fresh);
    expect(readTree(out)).toEqual(readTree(fresh));
  });

  test.each([
    ['tokens', ['ft', 'nft', 'sft']],
    ['ft', ['ft']],
    ['nft', ['nft']],
    ['sft', ['sft']],
  ] as const)(
    'behavior: --only %s has what the explorer shows of it, and building all brings the rest back',
    async (only, kinds) => {
      const out = tempFolder();
      await buildIndex(sample, out);
      const tree = readTree(out);
      const summary = await buildIndex(sample, out, { only });
      const selected = readTree(out);
      expect(summary.removed).toBe([...tree.keys()].filter((path) => !selected.has(path)).length);
      const read = (path: string) => JSON.parse(selected.get(path) ?? `"no ${path}"`);

      const rows = read('search/tokens/index.json') as [string, string][];
      expect([...new Set(rows.map(([kind]) => kind))].sort()).toEqual(kinds);
      for (const [kind, id] of rows) {
        const own = `metadata/v1/${kind}/${id}`;
        for (const path of [
          kind === 'ft' ? own : `${own}/index.json`,
          `metadata/v1/status/${id}`,
          `extended/v1/contract/${id}`,
        ])
          expect([path, selected.has(path)]).toEqual([path, true]);
      }
      const { newest_contracts: newest } = read('metadata/v1/index.json') as {
        newest_contracts: { contract_id: string }[];
      };
      const { addresses } = read('search/contracts/index.json') as { addresses: [string, string][] };
      const found = addresses
        .flatMap(([, block]) => read(`search/contracts/${block}`) as [string, ...string[]][])
        .flatMap(([address, ...names]) => names.map((name) => `${address}.${name}`));
      const contracts = [...selected.keys()].flatMap((path) => /^extended\/v1\/contract\/(.+)$/.exec(path)?.[1] ?? []);
      expect(newest.length).toBeGreaterThan(0);
      for (const { contract_id } of newest) expect(contracts).toContain(contract_id);
      expect(found.sort()).toEqual(contracts.sort());
      // Of other kinds there is nothing, not even a status.
      const statuses = [...selected.keys()].flatMap((path) => /^metadata\/v1\/status\/(.+)$/.exec(path)?.[1] ?? []);
      expect(statuses.sort()).toEqual(contracts);
      expect([...selected.keys()].filter((path) => path.startsWith('v2/'))).toEqual([]);

      await buildIndex(sample, out);
      expect(readTree(out)).toEqual(tree);
    },
  );

  test('behavior: --only ft follows a chain that grows', async () => {
    const folder = tempFolder();
    const [db, out, fresh] = ['index.sqlite', 'dist', 'fresh'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const deploy = (name: string, nonce: number, of: Json) =>
      deployJson(name, `(define-constant c u${nonce})`, { nonce, clarityVersion: 2, interface: of });
    const first = [deploy('token', 0, TOKEN_INTERFACE), deploy('plain', 1, EMPTY_INTERFACE)];
    await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: first }));
    await buildIndex(db, out, { only: 'ft' });
    const more = [deploy('more', 2, TOKEN_INTERFACE), deploy('thing', 3, COLLECTION_INTERFACE)];
    await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: more }));
    await buildIndex(db, out, { only: 'ft' });
    await buildIndex(db, fresh, { only: 'ft' });
    expect(readTree(out)).toEqual(readTree(fresh));
    const contracts = filesBelow(join(out, 'extended')).map((path) => path.split('.').at(-1));
    expect(contracts.sort()).toEqual(['more', 'token']);
  });

  test('behavior: progress knows how much there is: tokens and pages of collections, and what a shard has', async () => {
    const folder = tempFolder();
    const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
    const collection = deployJson('thing', '(define-constant c u1)', {
      clarityVersion: 2,
      interface: COLLECTION_INTERFACE,
    });
    const mint = callJson({ nonce: 1 });
    const id = `${addressOf(TEST_KEY)}.thing`;
    const events = Array.from({ length: 1_100 }, (_, number) => nftEvent('mint', mint.txid, id, BigInt(number)));
    const counted = async (store: string, over: Partial<BuildOptions> = {}) => {
      const reports: [number, number][] = [];
      const progress: Reporter['progress'] = ({ done, total = 0 }) => reports.push([done, total]);
      await buildIndex(store, over.out ?? out, { ...over, reporter: { ...silentReporter, progress } });
      return { first: reports[0]?.[1], last: reports.at(-1) };
    };
    await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: [collection] }));
    await buildIndex(db, out);
    await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: [mint], events }));
    // Each token, 20 pages of them and an empty one, the status of the collection, its contract twice, and the lists.
    const grown = await counted(db);
    expect(grown.last).toEqual([grown.first, grown.first]);
    expect(grown.first).toBeGreaterThan(1_120);
    const full = await counted(db, { full: true });
    expect(full.last).toEqual([full.first, full.first]);

    const shard = join(folder, 'shard.sqlite');
    const begun = await openIndex(shard);
    await writeInfo(begun, { shard: { number: 1, of: 3 } });
    await begun.destroy();
    const deploys = Array.from({ length: 30 }, (_, nonce) =>
      deployJson(`token-${nonce}`, '(define-constant c u1)', { nonce, clarityVersion: 2, interface: TOKEN_INTERFACE }),
    );
    await indexLines(shard, blockLine({ id: 1, parent: 0, height: 1, transactions: deploys }));
    const ofShard = await counted(shard, { out: join(folder, 'shard'), exports: join(folder, 'exports') });
    expect(ofShard.last).toEqual([ofShard.first, ofShard.first]);
  });

  test('behavior: --verify mends what was removed or changed by hand', async () => {
    const out = tempFolder();
    await buildIndex(sample, out);
    const tree = readTree(out);
    const [first = '', second = ''] = filesBelow(out);
    unlinkSync(join(out, first));
    writeFileSync(join(out, second), 'changed');
    expect(await buildIndex(sample, out)).toMatchObject({ written: 0 });
    expect(await buildIndex(sample, out, { verify: true })).toMatchObject({ written: 2, mended: 2, removed: 0 });
    expect(readTree(out)).toEqual(tree);
  });

  test('error: other-index, unless the site of another index is to be replaced', async () => {
    const folder = tempFolder();
    const out = join(folder, 'dist');
    await buildIndex(sample, out, { indexFile: join(folder, 'sample.sqlite') });
    const tree = readTree(out);
    const db = join(folder, 'other.sqlite');
    const deploy = deployJson('one', '(define-constant a u1)', { clarityVersion: 2 });
    await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: [deploy] }));
    // Where it lies is no reason to take it for the same: it is of another chain.
    for (const indexFile of [join(folder, 'sample.sqlite'), db])
      await expectFailure(
        buildIndex(db, out, { indexFile }),
        'other-index',
        `${join(folder, 'sample.sqlite')} of chain 0x53545850`,
      );
    expect(readTree(out)).toEqual(tree);
    await buildIndex(db, out, { indexFile: db, replace: true });
    expect(filesBelow(out).filter((path) => /^(extended|metadata\/v1\/ft\/SP|v2)/.test(path))).toEqual([
      expect.stringMatching(/^extended\/v1\/contract\/.*\.one$/),
    ]);
  });

  test('behavior: an index that was made anew in the same place replaces nothing of another', async () => {
    const folder = tempFolder();
    const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
    const { files } = await buildIndex(sample, out, { indexFile: db });
    await indexSample(db, { vm: false });
    await expectFailure(buildIndex(db, out, { indexFile: join(folder, 'elsewhere.sqlite') }), 'other-index', '');
    expect(await buildIndex(db, out, { indexFile: db })).toMatchObject({
      files: expect.toSatisfy((now) => now < files),
    });
  });

  test.each([
    ['goes no further', []],
    ['comes to the same revision', ['c']],
    ['goes further', ['c', 'd', 'e', 'f']],
  ])('behavior: a copy of the index that was restored and %s is compared as a whole', async (_, more) => {
    const folder = tempFolder();
    const [db, copy, out] = [join(folder, 'index.sqlite'), join(folder, 'copy.sqlite'), join(folder, 'dist')];
    const hosts = findHosts(['s3-cloudfront']);
    await indexDeploys(db, ['a']);
    copyIndex(db, copy);
    await indexDeploys(db, ['b']);
    await buildIndex(db, out, { hosts });
    copyIndex(copy, db);
    await indexDeploys(db, more);
    await buildIndex(db, out, { hosts });
    const fresh = join(folder, 'fresh/dist');
    await buildIndex(db, fresh, { hosts });
    expect(readTree(out)).toEqual(readTree(fresh));
    const beside = (site: string) =>
      [...readTree(`${site}-hosts`)].map(([path, text]) => [path, text.replaceAll(site, '')]);
    expect(beside(out)).toEqual(beside(fresh));
    // And then goes on as ever.
    await indexDeploys(db, ['g']);
    const rendered = async (full: boolean) => {
      let entries = 0;
      const progress: Reporter['progress'] = ({ total = 0 }) => {
        entries = total;
      };
      await buildIndex(db, out, { hosts, full, reporter: { ...silentReporter, progress } });
      return entries;
    };
    const some = await rendered(false);
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(await rendered(true));
  });

  test('behavior: unchanged files are not touched, changed ones are replaced and never written over', async () => {
    const out = tempFolder();
    await buildIndex(sample, out);
    const path = join(out, `metadata/v1/ft/${PRESSER}.press-token`);
    // Whoever has the old file open reads it to its end.
    const kept = join(out, '.stxpress/kept');
    linkSync(path, kept);
    const before = readFileSync(path, 'utf8');
    rmSync(path);
    writeFileSync(path, 'x');
    await buildIndex(sample, out, { verify: true });
    expect(readFileSync(kept, 'utf8')).toBe(before);
    expect(statSync(path).ino).not.toBe(statSync(kept).ino);
  });

  test('error: out-foreign', async () => {
    const out = tempFolder();
    writeFileSync(join(out, 'thesis.txt'), 'mine');
    await expectFailure(buildIndex(sample, out), 'out-foreign', 'thesis.txt');
    expect(readdirSync(out)).toEqual(['thesis.txt']);
    // A folder of the file system itself is nobody's.
    const mount = tempFolder();
    mkdirSync(join(mount, 'lost+found'));
    expect(await buildIndex(sample, mount)).toMatchObject({ removed: 0 });
  });

  test('error: out-foreign, for a symbolic link inside the output folder', async () => {
    const folder = tempFolder();
    const out = join(folder, 'dist');
    const elsewhere = join(folder, 'elsewhere');
    await buildIndex(sample, out);
    mkdirSync(elsewhere);
    rmSync(join(out, 'metadata'), { recursive: true });
    symlinkSync(elsewhere, join(out, 'metadata'));
    await expectFailure(buildIndex(sample, out, { verify: true }), 'out-foreign', 'symbolic link');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('error: path-collision with a file that no build wrote', async () => {
    const folder = tempFolder();
    const db = copyIndex(sample, join(folder, 'index.sqlite'));
    const out = join(folder, 'dist');
    await buildIndex(db, out);
    const call = callJson({ chainId: SAMPLE_CHAIN_ID });
    const deploy = deployJson('fresh', '(define-constant a u1)', { chainId: SAMPLE_CHAIN_ID, clarityVersion: 2 });
    await indexLines(db, sampleBlock([deploy, call], []));
    const tree = readTree(out);
    const taken = filesBelow(out).length;
    const path = join(out, 'extended/v1/contract');
    const contractId = `${addressOf(TEST_KEY, SAMPLE_CHAIN_ID)}.fresh`;
    writeFileSync(join(path, contractId), 'mine');
    await expectFailure(buildIndex(db, out), 'path-collision', contractId);
    expect(readFileSync(join(path, contractId), 'utf8')).toBe('mine');
    unlinkSync(join(path, contractId));
    expect(readTree(out)).toEqual(tree);
    expect(filesBelow(out)).toHaveLength(taken);
    await buildIndex(db, out);
    expect(JSON.parse(readFileSync(join(path, contractId), 'utf8'))).toMatchObject({ contract_id: contractId });
  });

  test('error: out-unwritable', async () => {
    await expectFailure(buildIndex(sample, '/dev/null/dist'), 'out-unwritable', '/dev/null');
  });
});
