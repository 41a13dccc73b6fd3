// Tests the page that draws the description of the API.
import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DOCUMENTS } from '#site/documents.ts';
import { SITE_RULES } from '#site/site-rules.ts';
import { fileBehind, references } from '../support/links.ts';
import { sampleTree } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const tree = await sampleTree();

const page = (path: string): string => tree.get(path) ?? '';

describe('the docs page', () => {
  test('default', () => {
    const html = page('docs/index.html');
    const files = [
      ...['docs/swagger-ui.css', 'explorer/app.css', 'docs/api.css', 'index.html', 'index.html', 'docs/index.html'],
      ...['index.html', 'openapi.json', 'metadata/v1/ft/index.json'],
      ...['docs/swagger-ui-bundle.js', 'docs/start.js'],
    ];
    // Hosts respond to the path of the page with and without a trailing slash. Relative links must lead to the same
    // files.
    for (const at of ['/docs/', '/docs'])
      expect(references(html).map((reference) => fileBehind(reference, at, tree))).toEqual(files);
    for (const { file } of DOCUMENTS) expect(tree.get(file)?.length).toBeGreaterThan(0);
  });

  /** Runs the script of the page, and returns a reader of the texts that it writes into elements. */
  const runScript = (src: string, window: object) => {
    const elements = new Map<string, { textContent: string }>();
    const elementOf = (name: string) => {
      const made = {
        textContent: '',
        hidden: true,
        addEventListener: () => {},
        after: (badge: { textContent: string }) => elements.set('badge', badge),
        querySelector: (selector: string) => elementOf(`${name} ${selector}`),
      };
      const element = elements.get(name) ?? made;
      elements.set(name, element);
      return element;
    };
    const document = {
      currentScript: { src },
      createElement: () => ({}),
      getElementById: elementOf,
      querySelector: elementOf,
    };
    runInNewContext(page('docs/start.js'), { window, document, URL, fetch, setTimeout });
    return (name: string) => elements.get(name)?.textContent ?? '';
  };

  test('it draws the description of this site, and sends requests to this site', async () => {
    const { base, server } = await serveSample(tempFolder());
    onTestFinished(() => void server.close());
    const drawn = Promise.withResolvers<Record<string, unknown>>();
    const textOf = runScript(`${base}/docs/start.js`, { SwaggerUIBundle: drawn.resolve });
    // No validator is set, since Swagger UI would send the description to a server of third parties.
    expect(await drawn.promise).toMatchObject({
      spec: { ...JSON.parse(page('openapi.json')), servers: [{ url: base, description: 'This site' }] },
      dom_id: '#api',
      validatorUrl: null,
    });
    expect(page('docs/index.html')).toContain('id="api"');
    // The header and the footer show the same as in the explorer, and the first example is a file of this site.
    const { chain, chain_tip: tip, site_hash: siteHash } = JSON.parse(page('metadata/v1/index.json'));
    await expect.poll(() => textOf('hash')).toBe(`Site ${siteHash.slice(0, 8)} · `);
    expect(textOf('badge')).toBe(chain);
    expect(textOf('block')).toBe(`Block ${tip.block_height} · 2024-01-01 01:10 UTC`);
    const [, path = ''] = /^curl (\S+)$/.exec(textOf('try pre')) ?? [];
    expect(fileBehind(path.replace(base, '..'), '/docs/', tree)).toMatch(/^metadata\/v1\/ft\/S/);
  });

  test('the description cannot be loaded', async () => {
    const textOf = runScript('http://127.0.0.1:9/docs/start.js', {});
    await expect.poll(() => textOf('api')).toContain('openapi.json could not be loaded');
    expect(textOf('block')).toBe('');
  });

  test('it loads nothing from elsewhere, and nothing that its policy forbids', () => {
    for (const path of ['docs/index.html', 'docs/start.js']) expect(page(path)).not.toMatch(/https?:|["'(]\/\//);
    // All scripts must be files. Inline scripts and event handlers are not allowed.
    expect(page('docs/index.html')).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=/);
    const css = page('docs/swagger-ui.css');
    expect(css).not.toContain('@import');
    const loaded = [...css.matchAll(/url\(\s*["']?([^)]{0,40})/g)].map(([, url = '']) => url);
    expect(loaded.filter((url) => !url.startsWith('data:'))).toEqual([]);
    expect(SITE_RULES.headers.document['Content-Security-Policy']).toContain("default-src 'self'");
  });

  test('the licence and the notice of what it is made of are there', () => {
    const licence = page('docs/LICENSE.txt');
    expect(licence).toContain('Apache License');
    expect(licence).toContain('Version 2.0');
    expect(licence).toContain('swagger-ui');
    expect(licence).toContain('MIT');
  });
});
