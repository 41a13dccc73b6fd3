import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import { runBuild } from '#generator/run-build.ts';
import { MAINNET_CHAIN_ID } from '#model/chain.ts';
import { ONLY } from '#model/token.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded, listParameters, type Route } from '#routes/route.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { type LandingFacts, renderLandingPage } from '#site/landing-page.ts';
import { newIndex } from '../support/archives.ts';
import { buildIndex, buildOptions } from '../support/build-options.ts';
import { fileBehind, references } from '../support/links.ts';
import { isResponse, readTree, SAMPLE_ARCHIVE, sampleIndex, sampleTree } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const db = sampleIndex();
const tree = await sampleTree();

afterEach(() => {
  vi.useRealTimers();
});

const build = async (out: string, over: Partial<BuildOptions> = {}) => {
  await buildIndex(db, out, over);
  return readTree(out);
};

const page = (path: string): string => tree.get(path) ?? '';

/** Returns the figures that the landing page shows, by name. */
const figures = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name = '', value = '']) => [name, value]),
  );

const FACTS: LandingFacts = {
  routes: ROUTES,
  chainId: MAINNET_CHAIN_ID,
  publicUrl: '',
  tip: undefined,
  vmVersion: undefined,
  interfaces: { computed: 0, missing: 0, missingIds: [] },
  contracts: {
    contracts: 1_234_567,
    canonical: 1,
    unconfirmed: 0,
    byStandard: { 'sip-009': 0, 'sip-010': 0, 'sip-013': 0 },
  },
  states: { complete: 1_000, partial: 234, queued: 0, error: 0 },
  numbered: { 'sip-009': 0, 'sip-013': 0 },
};

describe('the landing page', () => {
  test('default', () => {
    const tokens = [...tree.keys()].filter((path) => /^metadata\/v1\/ft\/S/.test(path));
    const contracts = [...tree.keys()].filter((path) => path.startsWith('extended/v1/contract/'));
    const collections = new Set(
      [...tree.keys()].flatMap((path) => /^metadata\/v1\/[ns]ft\/(S[^/]+)/.exec(path)?.slice(1) ?? []),
    );
    // The landing page should show the highest block of the sample as the tip, with the time of its burn block.
    const blocks = readFileSync(SAMPLE_ARCHIVE, 'utf8')
      .split('\n')
      .filter((line) => line.includes('\t/new_block\t'))
      .map((line) => JSON.parse((line.split('\t')[3] ?? '').replaceAll('\\\\', '\\')) as Record<string, number>);
    const tip = Math.max(...blocks.map(({ block_height = 0 }) => block_height));
    const times = new Set(blocks.filter(({ block_height }) => block_height === tip).map((one) => one.burn_block_time));
    expect(times.size).toBe(1);
    const [seconds = 0] = times;
    const minedAt = new Date((seconds ?? 0) * 1_000).toISOString();
    expect(figures(page('index.html'))).toEqual({
      'Fungible tokens': String(tokens.length),
      'NFT collections': String(collections.size),
      Contracts: String(contracts.length),
      'Latest block': String(tip),
      'As of': `<time datetime="${minedAt}">${minedAt.slice(0, 10)} ${minedAt.slice(11, 16)} UTC</time>`,
    });
    expect(page('index.html')).toContain('<span class="badge">Sample chain</span>');
  });

  test('the same index gives the same bytes on another day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') });
    expect(new Date().getFullYear()).toBe(2031);
    expect(await build(join(tempFolder(), 'dist'))).toEqual(tree);
  });

  test('what is not known is left out', () => {
    expect(figures(renderLandingPage(FACTS))).toEqual({ 'Fungible tokens': '1,234', Contracts: '1,234,567' });
    expect(renderLandingPage(FACTS)).toContain('<span class="badge">Mainnet</span>');
    expect(renderLandingPage({ ...FACTS, chainId: undefined })).not.toContain('badge');
    const block = undefined;
    const old = renderLandingPage({ ...FACTS, chainId: 7, tip: { height: 200_000, block, minedAt: undefined } });
    expect(figures(old)).toEqual({ 'Fungible tokens': '1,234', Contracts: '1,234,567', 'Latest block': '200,000' });
    expect(old).toContain('<span class="badge">Chain 0x00000007</span>');
    expect(old).toContain('<p class="num" id="block">Block 200,000</p>');
    const waiting = (queued: number, error: number) =>
      renderLandingPage({ ...FACTS, states: { complete: 0, partial: 0, queued, error } });
    expect(waiting(1_500, 2)).toMatch(/1,500 tokens not read yet\. 2 tokens could not be read;/);
    expect(waiting(1, 1)).toMatch(/1 token not read yet\. 1 token could not be read;/);
    expect(waiting(0, 0)).not.toMatch(/\d tokens? (?:not|could)/);
  });

  test('links lead to files of the build', () => {
    const links = references(page('index.html'));
    expect(links.map((link) => fileBehind(link, '/', tree))).toEqual([
      'explorer/app.css',
      'explorer/app.js',
      'index.html',
      'index.html',
      'docs/index.html',
      'docs/index.html',
      'openapi.json',
      'metadata/v1/ft/index.json',
      'metadata/v1/nft/index.json',
      'metadata/v1/sft/index.json',
      'metadata/v1/index.json',
    ]);
    // Links must be relative, since the root of a site may be a folder of its host.
    expect(links.filter((link) => link.startsWith('/'))).toEqual([]);
  });

  test('every route and its parameters are named', () => {
    const paths = [...page('index.html').matchAll(/<li[^>]*><code>\/(.*?)<\/code>/g)].map(([, path = '']) =>
      path.replace(/ ?<[^>]*>/g, ' ').trim(),
    );
    expect(paths).toEqual(
      ROUTES.map(({ path, list, variants = [] }) => {
        const names = [...(list === undefined ? [] : listParameters(list)), ...variants.map(({ name }) => name)];
        return [path, ...names.map((name) => `?${name}=`)].join(' ');
      }),
    );
  });

  test('text is escaped', () => {
    const [route] = ROUTES as [Route];
    const hostile = { ...route, path: 'a&b/{x}', summary: 'Less <script>alert(1)</script> & "more"' };
    const html = renderLandingPage({ ...FACTS, routes: [hostile] });
    expect(html).not.toContain('<script>');
    expect(html).toContain('/a&amp;b/{x}');
    expect(html).toContain('Less &lt;script>alert(1)&lt;/script> &amp; &quot;more&quot;');
  });

  test('it loads and runs what is beside it alone', () => {
    const html = page('index.html');
    const version = hash('sha256', `${page('explorer/app.js')}${page('explorer/app.css')}`).slice(0, 12);
    expect(html).not.toMatch(/https?:|url\(|@import|<script>|<img|<iframe|\son\w+=/);
    expect(html.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="explorer/app.js?${version}">`]);
    expect(html).toContain(`<link rel="stylesheet" href="explorer/app.css?${version}">`);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  test.each(ONLY)('--only %s describes what it has, and nothing else', async (only) => {
    const files = await build(join(tempFolder(), 'dist'), { only });
    const html = files.get('index.html') ?? '';
    for (const link of references(html))
      expect([link, fileBehind(link, '/', files)]).toEqual([link, expect.any(String)]);
    const { paths } = JSON.parse(files.get('openapi.json') ?? '') as { paths: object };
    for (const route of ROUTES) {
      expect([route.path, html.includes(`<code>/${route.path}`)]).toEqual([route.path, isIncluded(route, only)]);
      const isDescribed = Object.keys(paths).some((path) => path === `/${route.path}` || path === `/${route.path}/`);
      expect([route.path, isDescribed]).toEqual([route.path, isIncluded(route, only)]);
    }
  });

  test('a build of an empty index has them all', async () => {
    const store = await newIndex();
    const out = join(tempFolder(), 'dist');
    await runBuild(store, buildOptions(out));
    const files = readTree(out);
    expect(figures(files.get('index.html') ?? '')).toEqual({ 'Fungible tokens': '0', Contracts: '0' });
    for (const { file } of DOCUMENTS) expect(files.has(file)).toBe(true);
    expect(JSON.parse(files.get('metadata/v1/index.json') ?? '')).toEqual({
      server_version: expect.stringMatching(/^stxpress \d+\.\d+\.\d+$/),
      status: 'ready',
      site_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      tokens: { ft: 0, nft: 0, sft: 0 },
      token_contracts: { 'sip-009': 0, 'sip-010': 0, 'sip-013': 0 },
      contracts: 0,
      ft_states: { complete: 0, partial: 0, queued: 0, error: 0 },
      interfaces: { computed: 0, missing: 0, missing_contracts: [] },
      newest_contracts: [],
    });
  });
});

test('no other file is a page or a script', () => {
  const otherFiles = [...tree.keys()].filter((path) => !isResponse(path));
  const documents = new Set(DOCUMENTS.map(({ file }) => file));
  expect(otherFiles.sort()).toEqual([...documents, '404.html', 'serve.json'].sort());
});
