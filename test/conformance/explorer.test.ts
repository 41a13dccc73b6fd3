// The explorer in a real browser: on every host, and on each of its pages, light and dark, wide and narrow. Pictures of
// the pages are in EXPLORER_PICTURES, a folder, if it is named.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findHost } from '#hosts/all.ts';
import { blockOfDeploys, unsignedDeploy } from '../../scripts/unsigned-deploy.ts';
import { chainListener, chainOf } from '../support/chain-listener.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { PNG } from '../support/picture.ts';
import { runCli } from '../support/run-cli.ts';
import { COLLECTOR, PRESSER } from '../support/sample.ts';
import { callInVm } from '../support/vm-node.ts';
import { SERVERS } from './servers/all.ts';
import { findProgram } from './servers/find-program.ts';
import { stxpressServe } from './servers/node-servers.ts';
import type { RunningHost } from './servers/running-host.ts';
import { buildSite, CASE_PAIRS, DEPLOYER, EXTRA_TOKENS, indexSite, TYPE_NAMES } from './site.ts';

const MAX_SCRIPT_AND_STYLE = 40_000;
const MAX_REQUESTS = 6;
/** The longest source on mainnet has 416 KB. */
const LONG_SOURCE_BYTES = 416_000;
/** A second, on a machine that does other work too. */
const MAX_SOURCE_MS = 3_000;
/** Opens a place in the page, and says how long it took until its source was drawn. */
const OPEN_SOURCE = `async (fragment) => {
  const start = performance.now();
  location.hash = fragment;
  while (document.querySelector('.source pre') === null) await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return performance.now() - start;
}`;
/** What counts as good: https://web.dev/articles/cls. */
const MAX_LAYOUT_SHIFT = 0.1;
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => { sum += value; }));
  observer.observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 50);
})`;
const SCREENS = [
  { name: 'desktop', viewport: { width: 1200, height: 850 }, colorScheme: 'light' },
  { name: 'desktop-dark', viewport: { width: 1200, height: 850 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 360, height: 740 }, colorScheme: 'light' },
] as const;
const PLACES = {
  home: '',
  token: `#/token/${PRESSER}.press-token`,
  'token-without-proof': `#/token/${PRESSER}.drifting-token`,
  collection: `#/nft/${COLLECTOR}.stamp-nft`,
  item: `#/nft/${COLLECTOR}.stamp-nft/1`,
  contract: `#/contract/${PRESSER}.press-token`,
  interface: `#/contract/${PRESSER}.press-token/interface`,
  address: `#/address/${DEPLOYER}`,
  calls: `#/contract/${PRESSER}.press-token/calls`,
  function: '#/function/get-price',
  'no-token': `#/token/${PRESSER}.nothing`,
  'pending-token': `#/token/${PRESSER}.pending-token`,
  'silent-token': `#/token/${PRESSER}.silent-token`,
  'no-page': '#/nonsense',
};

const SAMPLE_CONTRACTS = new URL('../../data/sample/contracts/', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'stxpress-explorer-'));
const pictures = process.env.EXPLORER_PICTURES;
let browser: Browser;

beforeAll(async () => {
  await indexSite(folder);
  browser = await chromium.launch({ executablePath: findProgram('chromium'), args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Watched {
  readonly page: Page;
  /** URLs that were asked of other hosts, which are refused. */
  readonly foreign: string[];
  /** URLs that were asked of the site. */
  readonly asked: string[];
  readonly errors: string[];
}

async function watch(context: BrowserContext, origin: string): Promise<Watched> {
  const page = await context.newPage();
  const watched: Watched = { page, foreign: [], asked: [], errors: [] };
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || url.startsWith('data:')) {
      watched.asked.push(url);
      return route.continue();
    }
    watched.foreign.push(url);
    return route.abort();
  });
  page.on('pageerror', (error) => watched.errors.push(error.message));
  return watched;
}

const open = async (page: Page, url: string) => {
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitForLoadState('networkidle');
};

describe.each(SERVERS.map((server) => [server.name, server] as const))('%s', (name, server) => {
  test('a token is found by its symbol, and its contract opened', async () => {
    const site = await buildSite(folder, findHost(name)?.name);
    const running = await server.start(site);
    const context = await browser.newContext();
    try {
      const { page, foreign, errors } = await watch(context, running.origin);
      await open(page, `${running.origin}/`);
      await page.keyboard.press('/');
      await page.keyboard.type('press');
      await page.getByRole('option', { name: 'Press Token' }).first().click();
      await page.getByRole('heading', { name: 'Press Token' }).waitFor();
      await page.getByRole('link', { name: 'Source and interface' }).click();
      await page.getByText('define-fungible-token').first().waitFor();
      expect(page.url()).toBe(`${running.origin}/#/contract/${PRESSER}.press-token`);
      expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    } finally {
      await context.close();
      await running.stop();
    }
  });
});

describe('the pages', () => {
  let running: RunningHost;
  let dist: string;
  beforeAll(async () => {
    const site = await buildSite(folder, undefined);
    dist = site.dist;
    running = await stxpressServe.start(site);
  });
  afterAll(() => running.stop());

  let context: BrowserContext;
  let page: Page;
  let watched: Watched;
  beforeEach(async () => {
    context = await browser.newContext();
    watched = await watch(context, running.origin);
    ({ page } = watched);
  });
  afterEach(() => context.close());

  test.each(SCREENS)(
    '$name: nothing serious for axe, nothing wider than the screen, nothing of another host',
    async (screen) => {
      const onScreen = await browser.newContext(screen);
      const { page: shown, foreign, errors } = await watch(onScreen, running.origin);
      for (const [name, fragment] of Object.entries(PLACES)) {
        await open(shown, `${running.origin}/${fragment}`);
        expect([name, await shown.getByText('Loading…').count()]).toEqual([name, 0]);
        const { violations } = await new AxeBuilder({ page: shown }).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect([name, serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)]).toEqual([name, []]);
        expect([name, (await shown.evaluate<number>(LAYOUT_SHIFT)) < MAX_LAYOUT_SHIFT]).toEqual([name, true]);
        const overflow = await shown.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([name, overflow]).toEqual([name, 0]);
        if (pictures !== undefined) {
          mkdirSync(pictures, { recursive: true });
          await shown.screenshot({ path: join(pictures, `${name}-${screen.name}.png`), fullPage: true });
        }
      }
      expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
      await onScreen.close();
    },
  );

  test('what the first page costs', async () => {
    await open(page, `${running.origin}/`);
    await page.getByRole('link', { name: 'Press Token' }).waitFor();
    expect(watched.asked.length).toBeLessThanOrEqual(MAX_REQUESTS);
    const bytes = ['app.js', 'app.css'].map((file) => gzipSync(readFileSync(join(dist, 'explorer', file))).length);
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_SCRIPT_AND_STYLE);
  });

  test('a place can be shared, and back works', async () => {
    await open(page, `${running.origin}/#/contract/${PRESSER}.press-token/8`);
    await page.locator('#L8.at').waitFor();
    await page.getByRole('tab', { name: 'Interface' }).click();
    await page.getByText('Read-only functions').waitFor();
    await page.getByRole('link', { name: 'get-symbol' }).click();
    await page.locator('#L9.at').waitFor();
    await page.goto(`${running.origin}/#/nft/${COLLECTOR}.stamp-nft`);
    await page.getByRole('link', { name: /Stamp 1/ }).click();
    await page.getByRole('heading', { name: 'Stamp 1' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: /Stamp 1/ }).waitFor();
  });

  test('what is found is chosen by keys, and a part of a name is looked for in all of them', async () => {
    await open(page, `${running.origin}/`);
    await page.keyboard.press('/');
    // Faster than the search begins by itself.
    await page.keyboard.type('whole');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Whole Token' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('token');
    await page.getByRole('option', { name: 'All contracts with “token”' }).waitFor();
    // The box itself is before the first option, and after the last one.
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: `${PRESSER}.office-token` }).waitFor();
    await page.getByText(/^\d+ found\.$/).waitFor();
    expect(watched.errors).toEqual([]);
  });

  /** Types it into the search box of a page that has asked for nothing of it. */
  const searchFor = async (text: string) => {
    await page.getByRole('combobox', { name: /^Find/ }).fill(text);
    return page.locator('.results');
  };

  test('all that is found can be reached, and it says how much there is', async () => {
    await open(page, `${running.origin}/`);
    const results = await searchFor('T');
    // All that have the symbol come first, and each says where it is.
    await results.getByText(/^Tokens: 5 of \d+$/).waitFor();
    expect(await results.locator('.token').first().innerText()).toMatch(/SIP-010 · S\w{5}…\w{6}\.[\w-]+$/);
    await results.getByRole('option', { name: 'More tokens' }).click();
    for (let index = 0; index < EXTRA_TOKENS; index++)
      expect(await results.locator(`a[href^="#/token/"][href$=".token-${index}"]`).count()).toBe(1);
    await searchFor('PAIR-');
    await results.getByText(`Contracts: 8 of ${2 * CASE_PAIRS}`).waitFor();
    await results.getByRole('option', { name: 'More contracts' }).click();
    await results.getByText(`Contracts: ${2 * CASE_PAIRS}`).waitFor();
    expect(await results.locator('a[href^="#/contract/"]').count()).toBe(2 * CASE_PAIRS);
    expect(watched.errors).toEqual([]);
  });

  test('an id is found in every form, and Enter says why it opens nothing', async () => {
    await open(page, `${running.origin}/`);
    const token = `${PRESSER}.press-token`;
    const stamps = `${COLLECTOR}.stamp-nft`;
    for (const [typed, place] of [
      [`${token}::press`, `#/token/${token}`],
      [`'${token}`, `#/token/${token}`],
      [`${stamps}/1`, `#/nft/${stamps}/1`],
      [`${stamps}::stamp`, `#/nft/${stamps}`],
    ] as const) {
      await searchFor(typed);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${running.origin}/${place}`);
    }
    const results = await searchFor(`0x${'ab'.repeat(32)}`);
    await results.getByText('No file of this site lists transactions').waitFor();
    await searchFor('nothing-is-called-so');
    await page.keyboard.press('Enter');
    await results.getByText('Nothing is found for “nothing-is-called-so”, so there is nothing to open.').waitFor();
    expect(page.url()).toBe(`${running.origin}/#/nft/${stamps}`);
  });

  test('each page has a title, takes the focus and is announced', async () => {
    await open(page, `${running.origin}/`);
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect([await page.title(), await focused()]).toEqual([
      'Tokens and contracts of Stacks · stxpress',
      expect.anything(),
    ]);
    // The first page is announced by the browser.
    expect(await page.locator('#explorer > [role=status]').innerText()).toBe('');
    await page.getByRole('link', { name: 'Whole Token' }).click();
    await page.locator('#explorer > [role=status]', { hasText: 'Whole Token (WHOLE) · stxpress' }).waitFor();
    expect([await page.title(), await focused()]).toEqual(['Whole Token (WHOLE) · stxpress', 'Whole Token WHOLE']);
    const titles = new Set<string>();
    for (const fragment of Object.values(PLACES)) {
      await open(page, `${running.origin}/${fragment}`);
      titles.add(await page.title());
    }
    expect(titles.size).toBe(Object.keys(PLACES).length);
    // A line or a tab is no other page: what has the focus keeps it.
    await open(page, `${running.origin}/#/contract/${PRESSER}.press-token`);
    await page.locator('#L8').click();
    await page.locator('#L8.at').waitFor();
    expect(await focused()).toBe('8');
    expect(watched.errors).toEqual([]);
  });

  test('Back and a reload show what was in sight', async () => {
    await open(page, `${running.origin}/`);
    await page.getByRole('button', { name: /more$/ }).click();
    const last = page.locator('.newest a').last();
    await last.scrollIntoViewIfNeeded();
    const top = await page.evaluate<number>('scrollY');
    expect(top).toBeGreaterThan(500);
    await last.click();
    await page.getByRole('tab', { name: 'Source' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await expect.poll(() => page.evaluate('scrollY')).toBeCloseTo(top, 0);
    await page.goForward();
    await expect.poll(() => page.evaluate('scrollY')).toBe(0);
    await open(page, `${running.origin}/#/contract/${COLLECTOR}.stamp-nft`);
    await page.evaluate('scrollTo(0, 150)');
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(0);
    await page.reload();
    await expect.poll(() => page.evaluate('scrollY')).toBeCloseTo(before, 0);
  });

  test('tabs are places, reached by arrow keys', async () => {
    const place = `${running.origin}/#/contract/${PRESSER}.press-token`;
    await open(page, place);
    await page.getByRole('tab', { name: 'Interface' }).click();
    await page.waitForURL(`${place}/interface`);
    expect(await page.title()).toBe('press-token: Interface · stxpress');
    await page.goBack();
    await page.locator('.source').waitFor();
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(`${place}/json`);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('JSON');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(place);
    await page.keyboard.press('End');
    await page.waitForURL(`${place}/json`);
    await page.getByRole('tab', { name: 'JSON', selected: true }).waitFor();
    expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(1);
    expect(watched.errors).toEqual([]);
  });

  test('the search box is a combobox: it says what is found, and where the arrow keys are', async () => {
    await open(page, `${running.origin}/`);
    const box = page.getByRole('combobox', { name: /^Find/ });
    const state = async () => [
      await box.getAttribute('aria-expanded'),
      await box.getAttribute('aria-activedescendant'),
    ];
    expect(await state()).toEqual(['false', null]);
    await box.fill('press');
    await page.getByRole('option', { name: 'Press Token' }).waitFor();
    expect(await state()).toEqual(['true', null]);
    expect(await page.getByRole('listbox').getAttribute('id')).toBe(await box.getAttribute('aria-controls'));
    await page
      .locator('.search > [role=status]', { hasText: /^\d+ tokens, \d+ contracts, \d+ functions found$/ })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await state()).toEqual(['true', 'option-0']);
    expect(await page.locator('[role=option][aria-selected=true]').getAttribute('id')).toBe('option-0');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    // First the list goes, then the text.
    await page.keyboard.press('Escape');
    expect([...(await state()), await box.inputValue()]).toEqual(['false', null, 'press']);
    await page.keyboard.press('Escape');
    expect(await box.inputValue()).toBe('');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is typed').waitFor();
    await box.fill('press');
    await page.getByRole('option', { name: 'Press Token' }).waitFor();
    await page.keyboard.press('Tab');
    expect((await state())[0]).toBe('false');
    // An address leads to all that it deployed.
    await box.fill(PRESSER.toLowerCase());
    await page.getByRole('option', { name: 'All contracts of this address' }).waitFor();
    expect(watched.errors).toEqual([]);
  });

  test('what is older than a minute is asked again, and what cannot be asked stays', async () => {
    await page.clock.install();
    // How the browser's own cache is to be used is seen in the page alone.
    await page.addInitScript(`const { fetch } = globalThis; globalThis.modes = [];
      globalThis.fetch = (url, init) => { modes.push(init.cache); return fetch(url, init); };`);
    await open(page, `${running.origin}/`);
    const path = 'metadata/v1/index.json';
    const count = () => watched.asked.filter((url) => url.endsWith(path)).length;
    const returnToWindow = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('link', { name: 'Whole Token' }).waitFor();
    expect(count()).toBe(1);
    await returnToWindow();
    await page.clock.fastForward(61_000);
    expect(count()).toBe(1);
    const changed = page.waitForResponse(`**/${path}`);
    await page.route(`**/${path}`, async (route) => {
      const answer = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...answer, contracts: 4_711 } });
    });
    await returnToWindow();
    await changed;
    await page.getByText('4,711').waitFor();
    const modes = await page.evaluate<string[]>('modes');
    expect([modes[0], modes.at(-1)]).toEqual(['default', 'no-cache']);
    await page.unrouteAll();
    await page.clock.fastForward(61_000);
    await context.setOffline(true);
    const failed = page.waitForEvent('requestfailed');
    await returnToWindow();
    await failed;
    await page.getByText('4,711').waitFor();
    expect(await page.locator('.problem').count()).toBe(0);
  });

  test('an address has all that it deployed, and its pages lead to it', async () => {
    await open(page, `${running.origin}/#/contract/${DEPLOYER}.token-7`);
    await page.getByRole('link', { name: 'Token token-7' }).waitFor();
    await page.locator('.facts a[href^="#/address/"]').click();
    await page.getByRole('heading', { name: 'Address' }).waitFor();
    // Two of a name that differ by case are two.
    const count = 2 * CASE_PAIRS + EXTRA_TOKENS + TYPE_NAMES.length + 2;
    await page.getByText(`${count + 1} in all.`).waitFor();
    expect(await page.locator('.names a').count()).toBe(count + 1);
    expect(await page.locator('.tokens a').count()).toBe(EXTRA_TOKENS + TYPE_NAMES.length + 1);
    await page.getByLabel('With this in their name').fill('PAIR-7');
    expect(await page.locator('.names a').allInnerTexts()).toEqual(['Pair-7', 'pAIR-7']);
    await page.locator('.names a').first().click();
    await page.getByRole('heading', { name: 'Pair-7' }).waitFor();
    await page.goBack();
    await page.locator('.names a').nth(1).waitFor();
    expect(await page.getByLabel('With this in their name').inputValue()).toBe('PAIR-7');
    await open(page, `${running.origin}/#/token/${DEPLOYER}.token-7`);
    expect(await page.locator(`a[href="#/address/${DEPLOYER}"]`).count()).toBe(1);
    await open(page, `${running.origin}/#/address/${`SP${'0'.repeat(30)}`}`);
    await page.getByText('None is known.').waitFor();
    expect(watched.errors).toEqual([]);
  });

  test('what a contract defines is shown, and its source copied and downloaded', async () => {
    const source = readFileSync(new URL('press-token.clar', SAMPLE_CONTRACTS), 'utf8');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open(page, `${running.origin}/#/contract/${PRESSER}.press-token`);
    await page.getByRole('button', { name: 'Copy the source' }).click();
    await page.getByText('copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(source);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the source' }).click();
    expect((await download).suggestedFilename()).toBe('press-token.clar');
    expect(readFileSync(await (await download).path(), 'utf8')).toBe(source);
    await page.getByRole('tab', { name: 'Interface' }).click();
    for (const title of ['Public functions', 'Variables', 'Constants', 'Assets', 'Traits'])
      await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('link', { name: 'token-uri', exact: true }).click();
    await page.locator('#L6.at').waitFor();
  });

  test('a token of a collection says where it stands, and leads to those beside it', async () => {
    await open(page, `${running.origin}/#/nft/${COLLECTOR}.stamp-nft`);
    await page.getByLabel('Number of a token').fill('x');
    await page.keyboard.press('Enter');
    await page.getByText('That is no number of a token.').waitFor();
    await page.getByLabel('Number of a token').fill('0');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 4').waitFor();
    expect(await page.getByRole('link', { name: /^Previous/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'Next: #1' }).click();
    await page.getByText('2 of 4').waitFor();
    await page.getByRole('link', { name: 'Previous: #0' }).waitFor();
    expect(watched.errors).toEqual([]);
  });

  test('who calls whom, and who has a function, where the site has files of it', async () => {
    const [own, other] = [`${PRESSER}.press-token`, `${COLLECTOR}.stamp-nft`];
    const none = { status: 404, json: { error: 'Not Found' } };
    await page.route(`${running.origin}/graph/**`, (route) => route.fulfill(none));
    await open(page, `${running.origin}/#/contract/${own}/calls`);
    await page.getByText('No call of it or by it is known').waitFor();
    const callers = Array.from({ length: 1_100 }, (_, index) => [`${PRESSER}.caller-${index}`, 'go']);
    const graph = {
      contract_id: own,
      calls: [[other, 'mint', 'burn']],
      on_traits: ['get-price'],
      implements: [`${PRESSER}.sip-010-trait.sip-010-trait`],
      uses: [],
      called_by: { count: callers.length, first: callers.slice(0, 100), pages: 2 },
      original: other,
      copies: { count: 1, first: [[`${PRESSER}.copy`]], pages: 1 },
    };
    const pages = { [`graph/${own}`]: graph, [`graph/lists/called-by/${own}/0`]: callers.slice(0, 1_000) };
    const functions = {
      'search/functions/index.json': [['get-a', 'a1']],
      'search/functions/a1': [
        ['get-price', 2, own, other],
        ['get-price-of', 70, own],
      ],
    };
    for (const [path, json] of Object.entries({
      ...pages,
      [`graph/lists/called-by/${own}/1`]: callers.slice(1_000),
      ...functions,
    }))
      await page.route(`${running.origin}/${path}`, (route) => route.fulfill({ json }));
    await open(page, `${running.origin}/#/contract/${own}/calls`);
    const titles = async () =>
      (await page.locator('#panel h2').allInnerTexts()).map((text) => text.replace(/\s+/, ' '));
    await page.getByText('mint burn').waitFor();
    expect(await titles()).toEqual([
      'Calls 1',
      'Calls on traits 1',
      'Called by 1,100',
      'Implements 1',
      'The very same source 2',
    ]);
    expect(await page.getByText('.caller-').count()).toBe(100);
    await page.getByRole('button', { name: '1,000 more' }).click();
    await page.getByText('.caller-999').waitFor();
    await page.getByRole('button', { name: '100 more' }).click();
    await page.getByText('.caller-1099').waitFor();
    expect(await page.getByText('.caller-').count()).toBe(callers.length);
    expect(await page.locator(`#panel a[href="#/contract/${PRESSER}.sip-010-trait"]`).count()).toBe(1);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'calls-filled.png') });
    await page.getByRole('link', { name: 'get-price' }).click();
    await page.getByRole('heading', { name: 'Contracts with a function get-price' }).waitFor();
    await page.getByText('2 in all.').waitFor();
    await page.getByRole('combobox', { name: /^Find/ }).fill('get-pr');
    await page.getByRole('option', { name: 'function of 70 contracts' }).click();
    await page.getByText('70 in all; the first 1 are named.').waitFor();
    await page.getByRole('link', { name: own }).click();
    await page.waitForURL(`${running.origin}/#/contract/${own}/interface`);
    // A name of a page is not too short, however short it is for a search.
    await page.unroute(`${running.origin}/search/functions/a1`);
    await page.route(`${running.origin}/search/functions/a1`, (route) => route.fulfill({ json: [['go', 1, own]] }));
    await page.route(`${running.origin}/search/functions/index.json`, (route) =>
      route.fulfill({ json: [['go', 'a1']] }),
    );
    await open(page, `${running.origin}/#/function/go`);
    await page.getByText('1 in all.').waitFor();
    expect(watched.errors).toEqual([]);
  });

  test('what cannot be searched is said, and searched again', async () => {
    // A page that needs no list of tokens.
    await open(page, `${running.origin}/#/contract/${PRESSER}.office`);
    await context.setOffline(true);
    const results = await searchFor('press');
    await results.getByText('Tokens could not be searched. The site cannot be reached.').waitFor();
    await results.getByText('Contracts could not be searched. The site cannot be reached.').waitFor();
    await page.keyboard.press('Enter');
    expect(await results.getByText('Nothing is found').count()).toBe(0);
    await context.setOffline(false);
    await page.route('**/search/tokens/index.json', (route) => route.fulfill({ status: 500 }));
    await results.getByRole('button', { name: 'Try again' }).click();
    await results.getByText('The site answered 500 for search/tokens/index.json.').waitFor();
    await results.getByRole('option', { name: `${PRESSER}.press-token` }).waitFor();
    await page.unrouteAll();
    await results.getByRole('button', { name: 'Try again' }).click();
    await results.getByRole('option', { name: 'Press Token' }).waitFor();
    expect(await results.getByText('could not be searched').count()).toBe(0);
  });

  test('what is queued, burned or of a semi-fungible token is shown', async () => {
    await open(page, `${running.origin}/`);
    await page.getByText('1 more to be read').waitFor();
    await open(page, `${running.origin}/#/nft/${COLLECTOR}.stamp-nft`);
    await page.getByText('1 of them').waitFor();
    await page.getByRole('link', { name: /burned/ }).click();
    await page.getByText('Burned', { exact: true }).waitFor();
    expect(page.url()).toContain('.stamp-nft/2');
    await open(page, `${running.origin}/#/nft/${COLLECTOR}.stamp-nft/1`);
    expect(await page.getByText('Burned').count()).toBe(0);
    // Of many, the first ones are named.
    await page.route('**/metadata/v1/status/*', (route) =>
      route.fulfill({ json: { tokens: { burned: 200 }, burned: ['2'] } }),
    );
    for (const [number, count] of [
      ['1', 0],
      [String(2n ** 128n - 1n), 1],
    ] as const) {
      await open(page, `${running.origin}/#/nft/${COLLECTOR}.stamp-nft/${number}`);
      expect(await page.getByText('Not known: 200 of the collection are burned').count()).toBe(count);
    }
    await page.unrouteAll();
    await open(page, `${running.origin}/#/nft/${PRESSER}.press-token`);
    await page.getByText('Token not found').waitFor();
    await open(page, `${running.origin}/#/sft/${COLLECTOR}.sheet-sft/1`);
    for (const [name, value] of [
      ['Supply', '50'],
      ['Decimals', '0'],
    ] as const)
      expect(await page.locator('.facts div', { hasText: name }).innerText()).toBe(`${name}\n${value}`);
  });

  test('after a picture that is broken, that of another language is shown', async () => {
    const [broken, good] = [`images/${'0'.repeat(64)}.png`, `images/${'1'.repeat(64)}.png`];
    const path = `metadata/v1/ft/${PRESSER}.press-token`;
    for (const [asked, image] of [
      [`${running.origin}/${path}`, broken],
      [`${running.origin}/variants/locale/de/${path}`, good],
    ] as const)
      await page.route(asked, async (route) => {
        const answer = (await (await route.fetch()).json()) as object;
        await route.fulfill({ json: { ...answer, image_uri: `/${image}` } });
      });
    await page.route(`**/${good}`, (route) => route.fulfill({ body: PNG, contentType: 'image/png' }));
    await open(page, `${running.origin}/#/token/${PRESSER}.press-token`);
    await page.locator('.title span.picture').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.locator(`.title img[src$="${good}"]`).waitFor();
  });

  test('read-only functions are called at the node that a reader names, and at none before', async () => {
    const contractId = `${PRESSER}.press-token`;
    const source = readFileSync(new URL('press-token.clar', SAMPLE_CONTRACTS), 'utf8').replace(/\(impl-trait .*/, '');
    const chain = chainOf([
      { contractId, sourceCode: source, abi: null, call: (name, args) => callInVm(contractId, source, name, args) },
    ]);
    const answer = chainListener(chain);
    const node = await loopbackServer((request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*').setHeader('Access-Control-Allow-Headers', '*');
      if (request.method === 'OPTIONS') response.end();
      else answer(request, response);
    });
    // Of no watched page: it asks a node, which is another host.
    page = await context.newPage();
    await open(page, `${running.origin}/#/contract/${contractId}`);
    await page.getByRole('tab', { name: 'Interface' }).click();
    const field = page.getByLabel('Node URL');
    await field.fill('javascript:alert(1)');
    await field.press('Enter');
    await page.getByText('That is no URL of a node').waitFor();
    expect(node.requests).toEqual([]);
    await field.fill(node.url);
    await field.press('Enter');
    // Getters without arguments at once.
    await page.getByText('(ok "PRESS")').waitFor();
    await page.getByLabel(/^who/).fill(PRESSER);
    await page.getByRole('button', { name: 'Call get-balance' }).click();
    await page.getByText('(ok u1000000)').nth(1).waitFor();
    await page.getByLabel(/^who/).fill('nobody');
    await page.getByRole('button', { name: 'Call get-balance' }).click();
    await page.getByText('who: nobody is not a valid Clarity value.').waitFor();
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'calls.png'), fullPage: true });
    // It is remembered, whatever is typed instead that is none.
    await field.fill('htp:/typo');
    await field.press('Enter');
    await page.getByText(`${node.url} stays in use.`).waitFor();
    await open(page, `${running.origin}/#/contract/${contractId}`);
    await page.getByRole('tab', { name: 'Interface' }).click();
    await page.getByText('(ok "PRESS")').waitFor();
    await page.route(`${node.url}/**`, (route) => route.abort());
    await page.getByRole('button', { name: 'Call get-name' }).click();
    await page.getByText('The node cannot be reached').waitFor();
  });

  test('why a token has no answer, and where its values are from', async () => {
    await open(page, `${running.origin}/#/token/${PRESSER}.silent-token`);
    await page.getByText('No on-chain value could be read').waitFor();
    await open(page, `${running.origin}/#/token/${PRESSER}.press-token`);
    await page.getByText('mints and burns').waitFor();
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('heading', { name: 'Press Token' }).waitFor();
    await page.getByText('"language": "de"').waitFor({ state: 'attached' });
  });

  test('below a path of a host', async () => {
    await page.route('https://pages.test/below/**', async (route) => {
      const url = route.request().url().replace('https://pages.test/below', running.origin);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
    await open(page, `https://pages.test/below/#/token/${PRESSER}.whole-token`);
    await page.getByRole('heading', { name: 'Whole Token' }).waitFor();
  });

  test('a site that cannot be reached says so', async () => {
    await open(page, `${running.origin}/`);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Whole Token' }).click();
    await page.getByText('cannot be reached').first().waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('link', { name: 'Source and interface' }).waitFor();
  });
});

test('a hostile site is text, and a long source opens in a second', async () => {
  const cwd = join(folder, 'hostile');
  mkdirSync(cwd);
  const NAME = '<img src=x onerror=alert(1)>\u202e"&';
  const uri = `data:application/json,${encodeURIComponent(
    JSON.stringify({
      name: NAME,
      description: `${'<script>alert(1)</script>'.repeat(20)}${'x'.repeat(60_000)}`,
      image: 'javascript:alert(1)',
      attributes: [{ trait_type: NAME, value: NAME.repeat(20) }],
      properties: { link: 'javascript:alert(1)' },
    }),
  )}`;
  const token = `(define-fungible-token t)
    (define-read-only (get-name) (ok u"<img src=x onerror=alert(1)>\\u{202e}"))
    (define-read-only (get-symbol) (ok "<b>"))
    (define-read-only (get-decimals) (ok u255))
    (define-read-only (get-total-supply) (ok u340282366920938463463374607431768211455))
    (define-read-only (get-token-uri) (ok (some u"${uri}")))`;
  const line = '(define-private (f-0000 (a uint)) (if (> a u1) (ok "<script>alert(1)</script>") (err u7))) ;; </pre>\n';
  const long = line.repeat(Math.ceil(LONG_SOURCE_BYTES / line.length));
  const of = (name: string) => `SP000000000000000000002Q6VF78.${name}`;
  const forty = 'a'.repeat(40);
  const archive = join(cwd, 'chain.tsv');
  const blank = `(define-fungible-token t)
    (define-read-only (get-name) (ok u"  ")) (define-read-only (get-symbol) (ok ""))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`;
  const deploys = [
    unsignedDeploy(of('hostile'), token, 0, TOKEN_INTERFACE),
    unsignedDeploy(of(forty), long, 1, null),
    unsignedDeploy(of('blank'), blank, 2, TOKEN_INTERFACE),
  ];
  writeFileSync(archive, blockOfDeploys(0, deploys));
  expect(await runCli(['index', '--archive', archive, '--offline'], { cwd })).toMatchObject({ status: 0 });
  expect(await runCli(['build'], { cwd })).toMatchObject({ status: 0 });
  const running = await stxpressServe.start({ dist: join(cwd, 'dist'), hosts: join(cwd, 'dist-hosts') });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  try {
    const { page, foreign, errors } = await watch(context, running.origin);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    for (const fragment of ['', `#/token/${of('hostile')}`, `#/contract/${of('hostile')}`]) {
      await open(page, `${running.origin}/${fragment}`);
      expect(await page.locator('main img[src="x"], main script, main a[href^="javascript:"], main b').count()).toBe(0);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    await open(page, `${running.origin}/#/token/${of('hostile')}`);
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    await page.getByText(NAME).first().waitFor();
    await page.goto(`${running.origin}/`);
    await page.getByRole('link', { name: 'blank' }).first().click();
    await page.getByRole('heading', { name: 'blank' }).waitFor();
    const milliseconds = await page.evaluate<number>(`(${OPEN_SOURCE})(${JSON.stringify(`#/contract/${of(forty)}`)})`);
    expect(milliseconds).toBeLessThan(MAX_SOURCE_MS);
    expect({ foreign, errors, dialogs }).toEqual({ foreign: [], errors: [], dialogs: [] });
  } finally {
    await context.close();
    await running.stop();
  }
});
