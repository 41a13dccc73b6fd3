import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { indexArchive } from '#indexer/chain/index-archive.ts';
import type { Reporter } from '#model/reporter.ts';
import { countBlocks } from '#store/chain/blocks.ts';
import { countChainFailures } from '#store/chain/chain-log.ts';
import { readInfo } from '#store/index-info.ts';
import { dumpIndex, indexText, newIndex, writeArchive } from '../../support/archives.ts';
import { mustRead, served } from '../../support/chain-index.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import {
  ADDRESS,
  addressOn,
  type BlockOptions,
  blockLine,
  bootJson,
  callJson,
  deployJson,
  type Json,
  line,
  microblocksJson,
  mintEvent,
  notificationOf,
  type Transaction,
} from '../../support/transactions.ts';

const ID = `${ADDRESS}.c`;
const token = deployJson('c', '(print 1)', { interface: TOKEN_INTERFACE });
const at = (height: number, transactions: Json[] = [], more: Partial<BlockOptions> = {}) =>
  blockLine({ id: height, parent: height - 1, height, transactions, ...more });
const blocks = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => at(from + index)).join('');
const burnBlock = line('/new_burn_block', {});

const notice = notificationOf(ID, 1);
/** Archive lines of every kind that changes an index. */
const CHAIN =
  at(0) +
  burnBlock +
  at(1, [token], { events: [mintEvent(token.txid, `${ID}::coin`, '7')] }) +
  line('/new_microblocks', microblocksJson(1, [deployJson('d', '(print 1)')])) +
  blockLine({ id: 'fork', parent: 0, height: 1, transactions: [callJson()] }) +
  at(2, [deployJson('d', '(print 1)')]) +
  at(3, [notice.transaction], { events: [notice.event] });

test('default', async () => {
  const store = await newIndex();
  const summary = await indexText(store, CHAIN);
  expect(summary).toMatchObject({ blocks: 5, repeatedBlocks: 0, skippedEvents: 1, failures: 0, brokenLines: 0 });
  expect(await served(store, ID)).toBe('c@1');
  expect(await served(store, `${ADDRESS}.d`)).toBe('d@2');
  expect(await readInfo(store)).toMatchObject({ chainId: 1 });
});

test('continues a longer archive where the shorter one ended', async () => {
  const [store, expected] = [await newIndex(), await newIndex()];
  const lines = CHAIN.split(/(?<=\n)/);
  const infos: string[] = [];
  const reporter: Reporter = { info: (message) => infos.push(message), warn() {}, progress() {} };
  for (let count = 1; count <= lines.length; count++)
    await indexText(store, lines.slice(0, count).join(''), { reporter });
  await indexText(expected, CHAIN);
  expect(infos).toHaveLength(lines.length - 1);
  for (const table of ['block', 'supply_change', 'asset_supply', 'chain_failure', 'token', 'job'] as const) {
    expect((await dumpIndex(store))[table]).toEqual((await dumpIndex(expected))[table]);
  }
  expect(await served(store, `${ADDRESS}.d`)).toBe('d@2');
});

test('skips the same archive, and ignores known blocks of another archive', async () => {
  const store = await newIndex();
  await indexText(store, CHAIN);
  const before = await dumpIndex(store);
  expect(await indexText(store, CHAIN)).toMatchObject({ blocks: 0, repeatedBlocks: 0, deploys: 0 });
  expect(await store.selectFrom('archive').selectAll().execute()).toHaveLength(1);
  const lines = CHAIN.split(/(?<=\n)/);
  for (const other of [CHAIN, lines.slice(0, 3).join(''), line('/other', {}) + CHAIN, lines.slice(2).join('')]) {
    expect(await indexText(store, other)).toMatchObject({ blocks: 0, failures: 0 });
    expect(await dumpIndex(store)).toEqual(before);
  }
});

test('stores the data before a broken line, and continues there in the next run', async () => {
  const store = await newIndex();
  const text = `${at(0, [token])}${at(1).slice(0, -9)}\n${at(2)}`;
  for (let run = 0; run < 2; run++) {
    await expect(indexText(store, text)).rejects.toMatchObject({ failure: { code: 'archive-line-broken' } });
    expect(await served(store, ID)).toBe('c@0');
  }
  expect(await indexText(store, text, { skipBroken: true })).toMatchObject({ blocks: 1, brokenLines: 1 });
  expect(await countChainFailures(store)).toEqual({ 'archive-line-broken': 1, 'block-gap': 1 });
});

test.each([10, 150])('counts every broken line, in a folder with a name of %d letters', async (letters) => {
  const store = await newIndex();
  const folder = join(tempFolder(), 'x'.repeat(letters));
  mkdirSync(folder);
  const text = `${at(0)}a\n${at(1)}b\nc\n${at(2)}`;
  const warnings: string[] = [];
  const reporter: Reporter = { info() {}, warn: (message) => warnings.push(message), progress() {} };
  const options = { path: join(folder, 'archive.tsv'), skipBroken: true, reporter };
  expect(await indexText(store, text, options)).toMatchObject({ blocks: 3, brokenLines: 3 });
  expect(await countChainFailures(store)).toEqual({ 'archive-line-broken': 3 });
  expect(warnings).toHaveLength(3);
});

test('limits the warnings about many failures', async () => {
  const store = await newIndex();
  const warnings: string[] = [];
  const reporter: Reporter = { info() {}, warn: (message) => warnings.push(message), progress() {} };
  const text = at(0) + Array.from({ length: 50 }, (_, index) => at(2 * index + 2)).join('');
  expect(await indexText(store, text, { reporter })).toMatchObject({ failures: 50 });
  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toContain('30 more failures');
  expect(warnings[0]).toMatch(
    /^block 0x[0-9a-f]{64}: The parent 0x[0-9a-f]{64} of the block at height 2 is not known\.$/,
  );
});

test('ends an aborted run after the batch in flight, and continues in the next run', async () => {
  const store = await newIndex();
  const path = writeArchive(at(0, [token]) + blocks(1, 20_000));
  const abort = new AbortController();
  const reporter: Reporter = { info() {}, warn() {}, progress: () => abort.abort() };
  const options = {
    path,
    skipBroken: false,
    nft: 'uris',
    maxNftTokens: 50_000,
    finalBlocks: 10_000,
    reporter,
  } as const;
  const first = await indexArchive(store, { ...options, signal: abort.signal });
  expect(first.blocks).toBeGreaterThan(0);
  expect(first.blocks).toBeLessThan(20_000);
  const rest = await indexArchive(store, { ...options, signal: new AbortController().signal });
  expect(first.blocks + rest.blocks).toBe(20_000);
  expect(rest.repeatedBlocks).toBe(0);
});

const TESTNET = 0x80000000;
const strange = deployJson('c', '(print 1)', { chainId: TESTNET });
test.each([
  ['differs from its first block on', at(0, [strange])],
  ['begins with blocks without transactions', blocks(0, 30) + at(30, [strange])],
  ['begins with boot deploys', at(0, [deployJson('boot', '(print 1)', { chainId: 0 })]) + at(1, [strange])],
  ['has only a failed transaction', at(0, [{ ...strange, status: 'abort_by_response' }])],
])('reports other-chain for an archive that %s, without storing its data', async (_, text) => {
  const store = await newIndex();
  await indexText(store, at(0, [token], { id: 'first', parent: 'none' }));
  const before = await dumpIndex(store);
  const path = writeArchive(text);
  await expect(indexText(store, text, { path })).rejects.toMatchObject({
    failure: { code: 'other-chain', message: expect.stringMatching(/(testnet|0x80000000).*0x00000001/) },
  });
  expect(await dumpIndex(store)).toEqual(before);
  expect(await store.selectFrom('archive').selectAll().execute()).toHaveLength(1);
});

test('refuses an archive of two chains', async () => {
  const store = await newIndex();
  const text = at(1, [callJson()]) + line('/new_microblocks', microblocksJson(1, [strange]));
  for (const skipBroken of [false, true])
    await expect(indexText(store, text, { skipBroken })).rejects.toMatchObject({
      failure: { code: 'other-chain', message: expect.stringMatching(/0x80000000.*0x00000001/) },
    });
  expect(await countBlocks(store)).toEqual({ canonical: 0, orphaned: 0 });
});

test('recognizes the chain of boot deploys by their version', async () => {
  const [mainnet, testnet] = [1, TESTNET].map((chainId) => bootJson('pox', '(print 1)', chainId)) as [
    Transaction,
    Transaction,
  ];
  const refused = { failure: { code: 'other-chain' } };
  const store = await newIndex();
  await indexText(store, at(0, [mainnet]));
  expect((await readInfo(store)).chainId).toBe(1);
  await expect(indexText(store, at(1, [testnet]))).rejects.toMatchObject(refused);
  const other = await newIndex();
  await indexText(other, at(0, [testnet]));
  await expect(indexText(other, at(1, [mainnet]))).rejects.toMatchObject(refused);
  await expect(indexText(other, at(1, [token]))).rejects.toMatchObject(refused);
  await indexText(other, at(1, [deployJson('c', '(print 1)', { chainId: 5 })]));
  expect((await readInfo(other)).chainId).toBe(5);
  await expect(indexText(other, at(2, [strange]))).rejects.toMatchObject(refused);
  const mixed = await newIndex();
  await expect(indexText(mixed, at(0, [mainnet, testnet]))).rejects.toThrow('its transactions belong to two chains');
  await expect(indexText(mixed, at(0, [mainnet]) + at(1, [testnet]))).rejects.toMatchObject(refused);
});

test('ignores the chain id of boot deploys, and stores the first other chain id', async () => {
  const store = await newIndex();
  await indexText(store, at(0, [deployJson('boot', '(print 1)', { chainId: 0 })]));
  expect((await readInfo(store)).chainId).toBeUndefined();
  expect(await mustRead(store, `${addressOn(0)}.boot`)).toMatchObject({ blockHeight: 0, canonical: true });
  await indexText(store, at(1, [strange]));
  expect((await readInfo(store)).chainId).toBe(TESTNET);
  await expect(indexText(store, at(2, [token]))).rejects.toMatchObject({ failure: { code: 'other-chain' } });
});
