import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { BuildOptions } from '#generator/build-options.ts';
import { runBuild } from '#generator/run-build.ts';
import { ONLY } from '#model/token.ts';
import { ROUTES } from '#routes/all.ts';
import { isIncluded } from '#routes/route.ts';
import { DOCUMENTS } from '#site/documents.ts';
import { newIndex } from '../support/archives.ts';
import { buildIndex, buildOptions } from '../support/build-options.ts';
import { fileBehind, references } from '../support/links.ts';
import { isResponse, readTree, sampleIndex, sampleTree } from '../support/sample.ts';
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

describe('the landing page', () => {
  test('the same index gives the same bytes on another day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2031-05-06T07:08:09Z') });
    expect(new Date().getFullYear()).toBe(2031);
    expect(await build(join(tempFolder(), 'dist'))).toEqual(tree);
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
      'metadata/v1/index.json',
    ]);
    // Links must be relative, since the root of a site may be a folder of its host.
    expect(links.filter((link) => link.startsWith('/'))).toEqual([]);
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
      const isDescribed = Object.keys(paths).some((path) => path === `/${route.path}` || path === `/${route.path}/`);
      expect([route.path, isDescribed]).toEqual([route.path, isIncluded(route, only)]);
    }
  });

  test('a build of an empty index has them all', async () => {
    const store = await newIndex();
    const out = join(tempFolder(), 'dist');
    await runBuild(store, buildOptions(out));
    const files = readTree(out);
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

test('--name is in titles, headers and previews, and in no response', async () => {
  const name = 'Acme <tokens> & "more"';
  const named = await build(join(tempFolder(), 'dist'), { name });
  const shown = 'Acme &#60;tokens&#62; &#38; &#34;more&#34;';
  for (const file of ['index.html', 'docs/index.html']) {
    const html = named.get(file) ?? '';
    for (const part of [`· ${shown}</title>`, `og:site_name" content="${shown}"`, `<span>${shown}</span>`])
      expect([file, html]).toEqual([file, expect.stringContaining(part)]);
    // The version of the program stays in the footer.
    expect(html.replace(/stxpress \d/, '')).not.toContain('stxpress');
  }
  expect(JSON.parse(named.get('openapi.json') ?? '').info.title).toBe(name);
  const changed = [...named].filter(([path, body]) => tree.get(path) !== body).map(([path]) => path);
  expect(changed.sort()).toEqual(['docs/index.html', 'index.html', 'openapi.json']);
});

test('no other file is a page or a script', () => {
  const otherFiles = [...tree.keys()].filter((path) => !isResponse(path));
  const documents = new Set(DOCUMENTS.map(({ file }) => file));
  expect(otherFiles.sort()).toEqual([...documents, '404.html', 'serve.json'].sort());
});
