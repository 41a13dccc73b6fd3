// Tests builds: which files they write, which files stay unchanged, and the progress that they report.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import { SAMPLE_CHAIN_ID } from '#model/chain.ts';
import type { Reporter } from '#model/reporter.ts';
import { indexLines } from '../support/archives.ts';
import { buildIndex } from '../support/build-options.ts';
import { COLLECTION_INTERFACE } from '../support/interfaces.ts';
import { buildSample, COLLECTOR, copyIndex, PRESSER, readTree, sampleIndex } from '../support/sample.ts';
import { sampleBlock } from '../support/sample-block.ts';
import { silentReporter } from '../support/silent-reporter.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ADDRESS, blockLine, burnEvent, callJson, deployJson, nftEvent } from '../support/transactions.ts';

const sample = sampleIndex();

test('an interrupted build leaves the served files unchanged', async () => {
  const out = tempFolder();
  await buildIndex(sample, out);
  const [served, controller] = [readTree(out), new AbortController()];
  const reporter = { ...silentReporter, progress: () => controller.abort() };
  const publicUrl = 'https://other.example.org';
  const interrupted = buildIndex(sample, out, { publicUrl, full: true, reporter, signal: controller.signal });
  await expect(interrupted).rejects.toMatchObject({ failure: { code: 'interrupted', retryable: true } });
  expect(readTree(out)).toEqual(served);
  expect(readdirSync(join(out, '.stxpress'))).not.toContain('staging');
});

test('an interrupted build removes only the folders that it made', async () => {
  const folder = tempFolder();
  const signal = AbortSignal.abort();
  const [made, empty] = [join(folder, 'sites/new'), join(folder, 'empty')];
  mkdirSync(empty);
  for (const out of [made, empty]) {
    const message = `The build was interrupted before it wrote a file into ${out}. Run the command again to build.`;
    await expect(buildIndex(sample, out, { signal })).rejects.toMatchObject({ failure: { message } });
  }
  expect(readdirSync(folder)).toEqual(['empty']);
  expect(readdirSync(empty)).toEqual([]);
  await buildIndex(sample, made);
  await expect(buildIndex(sample, made, { full: true, publicUrl: 'https://a.example', signal })).rejects.toThrow(
    `The build was interrupted. ${made} still has the site of the last build. Run the command again.`,
  );
});

test('a second build writes nothing', async () => {
  const out = tempFolder();
  const first = await buildIndex(sample, out);
  expect(first).toMatchObject({ written: readTree(out).size, unchanged: 0, removed: 0 });
  expect(readdirSync(join(out, '.stxpress'))).not.toContain('staging');
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

test('writes only the files of a changed contract', async () => {
  const folder = tempFolder();
  const db = copyIndex(sample, join(folder, 'index.sqlite'));
  const out = join(folder, 'dist');
  await buildSample(out);
  const call = callJson({ chainId: SAMPLE_CHAIN_ID });
  await indexLines(db, sampleBlock([call], [burnEvent(call.txid, `${PRESSER}.press-token::press`, '1250000')]));
  const before = readTree(out);
  const summary = await buildIndex(db, out);
  const path = `metadata/v1/ft/${PRESSER}.press-token`;
  const after = readTree(out);
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  expect(differing).toEqual(expect.arrayContaining([path, `variants/locale/de/${path}`, 'metadata/v1/ft/index.json']));
  // Only one other contract changed, the unconfirmed one: its block is not on the chain of the new tip.
  const otherContracts = differing.filter((name) => /\bST[A-Z0-9]+/.test(name) && !name.endsWith('.press-token'));
  expect(otherContracts).toEqual([
    `extended/v1/contract/${COLLECTOR}.unconfirmed`,
    `variants/tip/latest/v2/contracts/interface/${COLLECTOR}/unconfirmed`,
  ]);
  expect(summary).toMatchObject({ written: differing.length - 1, removed: 1 });
  // A supply of 0 is served like any other supply.
  expect(JSON.parse(after.get(path) ?? '')).toMatchObject({ total_supply: '0' });
  // A folder that became empty was removed. A full build has the same files as the incremental build.
  expect(existsSync(join(out, 'variants/tip'))).toBe(false);
  const fresh = join(folder, 'fresh');
  await buildIndex(db, fresh);
  expect(readTree(out)).toEqual(readTree(fresh));
});

test('reports the total of tokens and pages of collections as progress', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  const collection = deployJson('thing', '(define-constant c u1)', {
    clarityVersion: 2,
    interface: COLLECTION_INTERFACE,
  });
  const mint = callJson({ nonce: 1 });
  const id = `${ADDRESS}.thing`;
  const events = Array.from({ length: 1_100 }, (_, number) => nftEvent('mint', mint.txid, id, BigInt(number)));
  const counted = async (over: Partial<BuildOptions> = {}) => {
    const reports: [number, number][] = [];
    const progress: Reporter['progress'] = ({ done, total = 0 }) => reports.push([done, total]);
    await buildIndex(db, out, { ...over, reporter: { ...silentReporter, progress } });
    return { first: reports[0]?.[1], last: reports.at(-1) };
  };
  await indexLines(db, blockLine({ id: 1, parent: 0, height: 1, transactions: [collection] }));
  await buildIndex(db, out);
  await indexLines(db, blockLine({ id: 2, parent: 1, height: 2, transactions: [mint], events }));
  // The expected number of entries counts the tokens, 21 pages, the status of the collection, its contract twice, and
  // lists.
  const grown = await counted();
  expect(grown.last).toEqual([grown.first, grown.first]);
  expect(grown.first).toBeGreaterThan(1_120);
  const full = await counted({ full: true });
  expect(full.last).toEqual([full.first, full.first]);
});

test('removes tokens and pages of a collection that shrinks or disappears', async () => {
  const folder = tempFolder();
  const [db, out] = [join(folder, 'index.sqlite'), join(folder, 'dist')];
  const id = `${ADDRESS}.thing`;
  const deploy = deployJson('thing', '(define-constant c u1)', { clarityVersion: 2, interface: COLLECTION_INTERFACE });
  const mint = callJson({ nonce: 1 });
  const events = Array.from({ length: 130 }, (_, number) => nftEvent('mint', mint.txid, id, BigInt(number)));
  const block = (id: string | number, parent: string | number, height: number) => blockLine({ id, parent, height });
  const pages = async (...lines: readonly string[]) => {
    await indexLines(db, lines.join(''));
    await buildIndex(db, out);
    const fresh = join(folder, `fresh-${lines.length}`);
    await buildIndex(db, fresh);
    expect(readTree(out)).toEqual(readTree(fresh));
    return [...readTree(out).keys()].filter((path) => path.startsWith(`metadata/v1/nft/${id}/`)).length;
  };
  const first = blockLine({ id: 1, parent: 0, height: 1, transactions: [deploy] });
  const second = blockLine({ id: 2, parent: 1, height: 2, transactions: [mint], events });
  // Two files are the index and the manifest. The others are pages, and the last page is empty.
  expect(await pages(first, second)).toBe(2 + 4);
  expect(await pages(block('b2', 1, 2), block('b3', 'b2', 3), block('b4', 'b3', 4))).toBe(2 + 1);
  expect(await pages(block('c1', 0, 1), ...[2, 3, 4, 5].map((to) => block(`c${to}`, `c${to - 1}`, to)))).toBe(0);
});
