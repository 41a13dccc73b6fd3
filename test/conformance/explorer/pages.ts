// Fixtures for tests of the explorer: a browser, a served site, and for each test a page with recorded requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as base, expect } from 'vitest';
import { COLLECTOR, PRESSER } from '../../support/sample.ts';
import { findProgram } from '../servers/find-program.ts';
import { stxpressServe } from '../servers/node-servers.ts';
import { buildSite, DEPLOYER, indexSite } from '../site.ts';

/** A fragment of each kind of page. */
export const PLACES = {
  home: '',
  token: `#/token/${PRESSER}.press-token`,
  'token-without-proof': `#/token/${PRESSER}.drifting-token`,
  collection: `#/nft/${COLLECTOR}.stamp-nft`,
  item: `#/nft/${COLLECTOR}.stamp-nft/1`,
  'item-before-a-long-number': `#/nft/${COLLECTOR}.stamp-nft/2`,
  contract: `#/contract/${PRESSER}.press-token`,
  interface: `#/contract/${PRESSER}.press-token/interface`,
  address: `#/address/${DEPLOYER}`,
  calls: `#/contract/${PRESSER}.press-token/calls`,
  'no-token': `#/token/${PRESSER}.nothing`,
  'pending-token': `#/token/${PRESSER}.pending-token`,
  'silent-token': `#/token/${PRESSER}.silent-token`,
  json: `#/contract/${PRESSER}.press-token/json`,
  'no-contract': `#/contract/${PRESSER}.nothing`,
  search: '#/search/token',
  'nothing-found': '#/search/zzyzx',
  'no-page': '#/nonsense',
};

/** Places that say little, which do not scroll in a window of 1280 by 900, and those that also fit a phone. */
export const SHORT_PLACES = ['item', 'no-token', 'no-contract', 'nothing-found', 'no-page'] as const;
export const SHORT_ON_PHONES: readonly string[] = ['no-token', 'no-page', 'nothing-found'];

/** Returns how many pixels wider than its window the page is. */
export const excessWidth = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** A new page, with the URLs that it asks of other hosts (`foreign`), which are refused, and of the site. */
export async function watch(context: BrowserContext, origin: string) {
  const page = await context.newPage();
  // On a machine that has much else to do; a test has four minutes.
  page.setDefaultTimeout(120_000);
  const foreign: string[] = [];
  const asked: string[] = [];
  const errors: string[] = [];
  await page.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(`${origin}/`) || url.startsWith('data:')) {
      asked.push(url);
      return route.continue();
    }
    foreign.push(url);
    return route.abort();
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return { page, foreign, asked, errors };
}

export async function openUrl(page: Page, url: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(url);
  await page.waitForLoadState('networkidle');
}

export const searchBox = (page: Page) => page.getByRole('combobox', { name: /^Search tokens/ });

/** By its key, which a page that is slow may not hear at first. */
export async function focusSearch(page: Page): Promise<void> {
  const press = async () => {
    await page.keyboard.press('/');
    return page.evaluate('document.activeElement.tagName');
  };
  await expect.poll(press, { timeout: 60_000 }).toBe('INPUT');
}

/** Violations of axe's accessibility rules, of any impact. */
export async function violations(page: Page): Promise<string[]> {
  const { AxeBuilder } = await import('@axe-core/playwright');
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** A test with a browser, the index and the site of its file, and a page of its own, which may leave no error. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: it needs no other
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'stxpress-explorer-'));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    await indexSite(folder);
    return folder;
  })
  .extend('browser', { scope: 'file' }, async ({ folder: _ }, { onCleanup }) => {
    const browser = await chromium.launch({ executablePath: findProgram('chromium'), args: ['--no-sandbox'] });
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('site', { scope: 'file' }, async ({ folder }, { onCleanup }) => {
    const built = await buildSite(folder);
    const { origin, stop } = await stxpressServe.start(built);
    onCleanup(stop);
    return { ...built, origin };
  })
  .extend('origin', ({ site }) => site.origin)
  .extend('context', async ({ browser }, { onCleanup }) => {
    const context = await browser.newContext();
    onCleanup(() => context.close());
    return context;
  })
  .extend('watched', async ({ context, origin }, { onCleanup }) => {
    const watched = await watch(context, origin);
    onCleanup(() => expect(watched.errors).toEqual([]));
    return watched;
  })
  .extend('page', ({ watched }) => watched.page)
  /** Opens a place of the site, in a page that has nothing of it. */
  .extend(
    'open',
    ({ page, origin }) =>
      (fragment: string) =>
        openUrl(page, `${origin}/${fragment}`),
  )
  /** Types into the search box, and returns the locator of the results. */
  .extend('searchFor', ({ page }) => async (text: string) => {
    await searchBox(page).fill(text);
    return page.locator('.drop');
  });
