// The explorer on every host, and each of its pages light and dark, wide and narrow: what is served, what it costs, and
// what a person who cannot see it is told.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { PRESSER } from '../../support/sample.ts';
import { SERVERS } from '../servers/all.ts';
import { focusSearch, openUrl, PICTURES, PLACES, test, violations, watch } from './pages.ts';

const MAX_SCRIPT_AND_STYLE = 40_000;
const MAX_REQUESTS = 6;
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
  '$name: nothing serious for axe, nothing wider than the screen, nothing of another host',
  async (screen, { browser, origin }) => {
    const context = await browser.newContext(screen);
    const { page, foreign, errors } = await watch(context, origin);
    for (const [name, fragment] of Object.entries(PLACES)) {
      await openUrl(page, `${origin}/${fragment}`);
      expect([name, await violations(page)]).toEqual([name, []]);
      expect([name, (await page.evaluate<number>(LAYOUT_SHIFT)) < MAX_LAYOUT_SHIFT]).toEqual([name, true]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([name, overflow]).toEqual([name, 0]);
      if (PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${name}-${screen.name}.png`), fullPage: true });
      }
    }
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] });
    await context.close();
  },
);

test('what the first page costs', async ({ site, watched, page, open }) => {
  await open('');
  await page.getByRole('link', { name: 'Press Token' }).waitFor();
  expect(watched.asked.length).toBeLessThanOrEqual(MAX_REQUESTS);
  const bytes = ['app.js', 'app.css'].map((file) => gzipSync(readFileSync(join(site.dist, 'explorer', file))).length);
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(MAX_SCRIPT_AND_STYLE);
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
  for (const fragment of Object.values(PLACES)) {
    await open(`${fragment}`);
    titles.add(await page.title());
  }
  expect(titles.size).toBe(Object.keys(PLACES).length);
  // A line or a tab is no other page: what has the focus keeps it.
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
