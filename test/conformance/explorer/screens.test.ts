// Tests the explorer on every host, and each page on a light desktop and a dark phone: layout, size and accessibility.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { PRESSER } from '../../support/sample.ts';
import { SERVERS } from '../servers/all.ts';
import {
  excessWidth,
  focusSearch,
  openUrl,
  PLACES,
  SHORT_ON_PHONES,
  SHORT_PLACES,
  test,
  violations,
  watch,
} from './pages.ts';

/** Bytes as sent. */
const MAX_SCRIPT_AND_STYLE = 40_000;
/** Bytes, minified. */
const MAX_STYLE = 12_288;
const MAX_REQUESTS = 6;
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const SCREENS = [
  { name: '1280-light', viewport: DESKTOP, colorScheme: 'light' },
  { name: '360-dark', viewport: PHONE, colorScheme: 'dark' },
] as const;
const HEIGHT_BEYOND_WINDOW = 'document.documentElement.scrollHeight - innerHeight';

test.for(SERVERS)(
  '$name: a token is found by its symbol, and its contract opened',
  async (server, { site, browser }) => {
    const running = await server.start(site);
    const context = await browser.newContext();
    try {
      const { page, foreign, errors } = await watch(context, running.origin);
      await openUrl(page, `${running.origin}/`);
      await focusSearch(page);
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
  },
);

test.for(SCREENS)(
  '$name: nothing for axe, nothing too wide, nothing of another host',
  async (screen, { browser, origin }) => {
    const context = await browser.newContext(screen);
    const { page, foreign, errors } = await watch(context, origin);
    for (const [name, place] of Object.entries({ ...PLACES, api: 'docs/' })) {
      await openUrl(page, `${origin}/${place}`);
      expect([name, await violations(page)]).toEqual([name, []]);
      expect([name, await excessWidth(page)]).toEqual([name, 0]);
    }
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    await context.close();
  },
);

test.for(SCREENS)(
  '$name: a page that loads, one that fails, and one that says little do not scroll',
  async (screen, { browser, origin }) => {
    const context = await browser.newContext(screen);
    const { page } = await watch(context, origin);
    const isPhone = screen.viewport === PHONE;
    const expectShort = async (name: string) => {
      expect([name, await page.evaluate(HEIGHT_BEYOND_WINDOW)]).toEqual([name, 0]);
    };
    for (const name of SHORT_PLACES) {
      await openUrl(page, `${origin}/${PLACES[name]}`);
      if (!isPhone || SHORT_ON_PHONES.includes(name)) await expectShort(name);
    }
    const place = `${origin}/#/token/${PRESSER}.press-token`;
    // Known texts appear at once: the contract id and the names of the facts.
    await page.route('**/metadata/v1/**', () => {});
    await page.goto('about:blank');
    await page.goto(place);
    await page.locator('.waiting .skel').first().waitFor();
    await page.getByText('Loading press-token').waitFor({ state: 'attached' });
    expect(await page.locator('h1').innerText()).toBe('press-token');
    expect(await violations(page)).toEqual([]);
    expect(await excessWidth(page)).toBe(0);
    if (!isPhone) await expectShort('loading');
    await page.unrouteAll();
    await page.route('**/metadata/v1/ft/**', (route) => route.fulfill({ status: 503, body: 'down' }));
    await openUrl(page, place);
    await page.getByRole('alert').getByText('The site returned status 503.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await excessWidth(page)).toBe(0);
    await expectShort('error');
    await page.getByText('Details').click();
    await page.getByText(`GET metadata/v1/ft/${PRESSER}.press-token → 503`).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Press Token' }).waitFor();
    await context.close();
  },
);

test('what the first page costs', async ({ site, watched, page, open }) => {
  await open('');
  await page.getByRole('link', { name: 'Press Token' }).waitFor();
  expect(watched.asked.length).toBeLessThanOrEqual(MAX_REQUESTS);
  const bytes = ['app.js', 'app.css'].map((file) => gzipSync(readFileSync(join(site.dist, 'explorer', file))).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_SCRIPT_AND_STYLE);
  expect(readFileSync(join(site.dist, 'explorer/app.css')).length).toBeLessThanOrEqual(MAX_STYLE);
});

test('each page has a title, takes the focus and is announced', async ({ page, open }) => {
  await open('');
  const focused = () => page.evaluate('document.activeElement.textContent');
  expect([await page.title(), await focused()]).toEqual([
    'Tokens and contracts on Stacks · stxpress',
    expect.anything(),
  ]);
  // The first page is announced by the browser.
  expect(await page.locator('#explorer > [role=status]').innerText()).toBe('');
  await page.getByRole('link', { name: 'Whole Token' }).click();
  await page.locator('#explorer > [role=status]', { hasText: 'Whole Token (WHOLE) · stxpress' }).waitFor();
  expect([await page.title(), await focused()]).toEqual(['Whole Token (WHOLE) · stxpress', 'Whole Token WHOLE']);
  const titles = new Set<string>();
  for (const [name, fragment] of Object.entries(PLACES)) {
    await page.evaluate(`location.hash = ${JSON.stringify(fragment || '#/')}`);
    await page.waitForLoadState('networkidle');
    titles.add(await page.title());
    // A tab keeps the page.
    if (!/interface|calls|json/.test(name))
      expect([name, await page.evaluate('document.activeElement.tagName')]).toEqual([name, 'H1']);
  }
  expect(titles.size).toBe(Object.keys(PLACES).length);
  // Choosing a line or a tab does not open another page, so the focus stays.
  await open(`#/contract/${PRESSER}.press-token`);
  await page.locator('#L8 > a').click();
  await page.locator('#L8.at').waitFor();
  expect(await focused()).toBe('8');
});

test('below a path of a host', async ({ page, origin }) => {
  await page.route('https://pages.test/below/**', async (route) => {
    const url = route.request().url().replace('https://pages.test/below', origin);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await openUrl(page, `https://pages.test/below/#/token/${PRESSER}.whole-token`);
  await page.getByRole('heading', { name: 'Whole Token' }).waitFor();
});
