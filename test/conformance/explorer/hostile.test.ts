// A site of hostile contracts in the explorer: what they say is text, and a long source opens in little processor time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { runWarm } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { deployJson, idOf, lineAt } from '../../support/transactions.ts';
import { stxpressServe } from '../servers/node-servers.ts';
import { excessWidth, openUrl, test, violations, watch } from './pages.ts';

/** The longest source on mainnet has 416 KB. */
const LONG_SOURCE_BYTES = 416_000;
/** The maximum processor time of the page for a long source. */
const MAX_SOURCE_SECONDS = 3;

/** Opens the source of a contract. Returns the processor time in seconds that this takes the page. */
async function timeOfSource(page: Page, fragment: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await seconds();
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  await page.locator('.src .chunk').first().waitFor();
  return (await seconds()) - before;
}

/** A name from right to left, followed by one of the longest words, and an amount that no chain has. */
const LONG_NAME = `\u05d0\u05d1\u05d2 ${'\u0627\u0644\u0639\u0645\u0644\u0629 '.repeat(20)}${'W'.repeat(300)}`;
const LONG_SUPPLY = '9'.repeat(340);

test('a hostile site is text, and a long source opens in little processor time', async ({ browser }) => {
  const cwd = tempFolder();
  const NAME = '<img src=x onerror=alert(1)>\u202e"&';
  const uri = `data:application/json,${encodeURIComponent(
    JSON.stringify({
      name: NAME,
      description: `${'<script>alert(1)</script>'.repeat(20)}${'x'.repeat(500)}`,
      image: 'javascript:alert(1)',
      attributes: [{ trait_type: NAME, value: NAME.repeat(20) }],
      properties: { link: 'javascript:alert(1)' },
    }),
  )}`;
  const token = `(define-fungible-token t) ;; \u202ereversed
    (define-read-only (get-name) (ok u"<img src=x onerror=alert(1)>\\u{202e}CTBs"))
    (define-read-only (get-symbol) (ok "<b>"))
    (define-read-only (get-decimals) (ok u255))
    (define-read-only (get-total-supply) (ok u340282366920938463463374607431768211455))
    (define-read-only (get-token-uri) (ok (some u"${uri}")))`;
  const line = '(define-private (f-0000 (a uint)) (if (> a u1) (ok "<script>alert(1)</script>") (err u7))) ;; </pre>\n';
  const long = line.repeat(Math.ceil(LONG_SOURCE_BYTES / line.length));
  const forty = 'a'.repeat(40);
  const archive = join(cwd, 'chain.tsv');
  const blank = `(define-fungible-token t)
    (define-read-only (get-name) (ok u" \\u{200b}")) (define-read-only (get-symbol) (ok ""))
    (define-read-only (get-decimals) (ok u0)) (define-read-only (get-total-supply) (ok u0))
    (define-read-only (get-token-uri) (ok none))`;
  const deploys = [
    deployJson('hostile', token, { interface: TOKEN_INTERFACE }),
    deployJson(forty, long),
    deployJson('blank', blank, { interface: TOKEN_INTERFACE }),
  ];
  writeFileSync(archive, lineAt(0, deploys));
  expect(await runWarm(['index', '--archive', archive, '--offline'], { cwd })).toMatchObject({ status: 0 });
  expect(await runWarm(['build'], { cwd })).toMatchObject({ status: 0 });
  const running = await stxpressServe.start({ dist: join(cwd, 'dist'), hosts: join(cwd, 'dist-hosts') });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  try {
    const { page, foreign, errors } = await watch(context, running.origin);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    const contract = `#/contract/${idOf('hostile')}`;
    for (const fragment of ['', '#/search/img', `#/token/${idOf('hostile')}`, contract, `${contract}/json`]) {
      await openUrl(page, `${running.origin}/${fragment}`);
      expect(await page.locator('main img[src="x"], main script, main a[href^="javascript:"], main b').count()).toBe(0);
      expect(await excessWidth(page)).toBe(0);
      const drawn = await page.evaluate<string>('document.title + document.documentElement.outerHTML');
      expect([fragment, drawn.includes('\\u202e'), /\p{Bidi_Control}/u.test(drawn)]).toEqual([fragment, true, false]);
    }
    await openUrl(page, `${running.origin}/#/token/${idOf('hostile')}`);
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>\\u202eCTBs' }).waitFor();
    await page.getByText('<script>alert(1)</script>').first().waitFor();
    await page.getByText(NAME.replace('\u202e', '\\u202e')).first().waitFor();
    // The id and the controls of a page stay in place for any text of a token.
    await page.route('**/metadata/v1/ft/**', async (route) => {
      const token = (await (await route.fetch()).json()) as object;
      await route.fulfill({
        json: { ...token, name: LONG_NAME, symbol: LONG_NAME, total_supply: LONG_SUPPLY, decimals: 18 },
      });
    });
    await page.route('**/search/tokens/index.json', (route) =>
      route.fulfill({ json: [['ft', idOf('hostile'), LONG_NAME, LONG_NAME, '', '9'.repeat(15)]] }),
    );
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      for (const [name, fragment] of [
        ['home', ''],
        ['token', `#/token/${idOf('hostile')}`],
        ['contract', `#/contract/${idOf('hostile')}`],
        ['address', `#/address/${idOf('').slice(0, -1)}`],
        ['search', '#/search/hostile'],
      ] as const) {
        await openUrl(page, `${running.origin}/${fragment}`);
        expect([name, width, await excessWidth(page)]).toEqual([name, width, 0]);
        expect([name, width, await violations(page)]).toEqual([name, width, []]);
      }
    }
    await page.unrouteAll();
    await page.setViewportSize({ width: 360, height: 740 });
    await openUrl(page, `${running.origin}/`);
    await page.locator(`main a[href="#/token/${idOf('blank')}"]`).click();
    await page.getByRole('heading', { name: 'Unnamed token' }).waitFor();
    expect(await timeOfSource(page, `#/contract/${idOf(forty)}`)).toBeLessThan(MAX_SOURCE_SECONDS);
    expect({ foreign, errors, dialogs }).toEqual({ foreign: [], errors: [], dialogs: [] });
  } finally {
    await context.close();
    await running.stop();
  }
});
