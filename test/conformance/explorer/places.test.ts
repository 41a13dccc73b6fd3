// Tests places of the explorer: shared links, tabs, Back, reloads, and repeated requests.
import { expect } from 'vitest';
import { COLLECTOR, PRESSER } from '../../support/sample.ts';
import { CASE_PAIRS, DEPLOYER, EXTRA_TOKENS, TYPE_NAMES } from '../site.ts';
import { openUrl, test } from './pages.ts';

test('a place can be shared, and back works', async ({ page, origin, open }) => {
  await open(`#/contract/${PRESSER}.press-token/8`);
  await page.locator('#L8.at').waitFor();
  await page.getByRole('tab', { name: 'Interface' }).click();
  await page.getByText('Read-only functions').waitFor();
  await page.locator('summary', { hasText: 'get-symbol' }).click();
  await page.getByRole('link', { name: 'line 9' }).click();
  await page.locator('#L9.at').waitFor();
  // The function that was open is open again.
  await page.goBack();
  await page.getByRole('link', { name: 'line 9' }).waitFor();
  await page.goto(`${origin}/#/nft/${COLLECTOR}.stamp-nft`);
  await page.getByRole('link', { name: /Stamp 1/ }).click();
  await page.getByRole('heading', { name: 'Stamp 1' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: /Stamp 1/ }).waitFor();
});

test('Back and a reload show what was in sight', async ({ page, open }) => {
  await open('');
  await page.getByRole('button', { name: /more$/ }).click();
  const last = page.locator('main .rows a').last();
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
  await open(`#/contract/${COLLECTOR}.stamp-nft`);
  await page.evaluate('scrollTo(0, 150)');
  const before = await page.evaluate<number>('scrollY');
  expect(before).toBeGreaterThan(0);
  await page.reload();
  await expect.poll(() => page.evaluate('scrollY')).toBeCloseTo(before, 0);
});

test('tabs are places, reached by arrow keys', async ({ page, origin }) => {
  const place = `${origin}/#/contract/${PRESSER}.press-token`;
  await openUrl(page, place);
  await page.getByRole('tab', { name: 'Interface' }).click();
  await page.waitForURL(`${place}/interface`);
  expect(await page.title()).toBe('press-token: Interface · stxpress');
  await page.goBack();
  await page.locator('.src').waitFor();
  await page.getByRole('tab', { selected: true }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(`${place}/json`);
  expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('JSON');
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(place);
  await page.keyboard.press('End');
  await page.waitForURL(`${place}/json`);
  await page.getByRole('tab', { name: 'JSON', selected: true }).waitFor();
  expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(1);
});

test('an address has all that it deployed, and its pages lead to it', async ({ page, open }) => {
  await open(`#/contract/${DEPLOYER}.token-7`);
  await page.getByRole('link', { name: 'Token token-7' }).waitFor();
  await page.locator('.facts a[href^="#/address/"]').click();
  await page.locator('.badge', { hasText: 'Address' }).waitFor();
  // Two of a name that differ by case are two.
  const count = 2 * CASE_PAIRS + EXTRA_TOKENS + TYPE_NAMES.length + 2;
  await page.getByText(`${count + 1} contracts`).waitFor();
  expect(await page.locator('.names a').count()).toBe(count + 1);
  expect(await page.locator('main .rows a').count()).toBe(20);
  await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
  expect(await page.locator('main .rows a').count()).toBe(EXTRA_TOKENS + TYPE_NAMES.length + 1);
  await page.getByLabel('Filter by name').fill('PAIR-7');
  expect(await page.locator('.names a').allInnerTexts()).toEqual(['Pair-7', 'pAIR-7']);
  await page.locator('.names a').first().click();
  await page.getByRole('heading', { name: 'Pair-7' }).waitFor();
  await page.goBack();
  await page.locator('.names a').nth(1).waitFor();
  expect(await page.getByLabel('Filter by name').inputValue()).toBe('PAIR-7');
  await open(`#/token/${DEPLOYER}.token-7`);
  expect(await page.locator(`a[href="#/address/${DEPLOYER}"]`).count()).toBe(1);
  await open(`#/address/${`SP${'0'.repeat(30)}`}`);
  await page.getByText('This address has deployed no contract that this site knows.').waitFor();
});

test('what is older than a minute is asked again, and what cannot be asked stays', async ({ watched, page, open }) => {
  await page.clock.install();
  await open('');
  const path = 'metadata/v1/index.json';
  const count = () => watched.asked.filter((url) => url.endsWith(path)).length;
  const returnToWindow = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole('link', { name: 'Whole Token' }).waitFor();
  expect(count()).toBe(1);
  await returnToWindow();
  // Effects run a frame later.
  await page.clock.runFor(1_000);
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
  await page.unrouteAll();
  await page.clock.fastForward(61_000);
  await page.route(`**/${path}`, (route) => route.abort());
  const failed = page.waitForEvent('requestfailed');
  await returnToWindow();
  await failed;
  await page.getByText('4,711').waitFor();
  expect(await page.locator('.note.bad').count()).toBe(0);
});

test('a site that cannot be reached says so', async ({ context, page, open }) => {
  await open('');
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Whole Token' }).click();
  await page.getByText('The site did not answer. Check your connection.').first().waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('link', { name: 'Source and interface' }).waitFor();
});
