// Tests the search box: its results, its keys, and its errors.
import { expect } from 'vitest';
import { COLLECTOR, PRESSER } from '../../support/sample.ts';
import { CASE_PAIRS, DEPLOYER, EXTRA_TOKENS } from '../site.ts';
import { focusSearch, searchBox, test, violations } from './pages.ts';

test('what is found is chosen by keys, and a part of a name is looked for in all of them', async ({ page, open }) => {
  await open('');
  await focusSearch(page);
  // Faster than the search begins by itself.
  await page.keyboard.type('whole');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Whole Token' }).waitFor();
  await focusSearch(page);
  await page.keyboard.type('token');
  await page.getByRole('option', { name: 'Search all contract names for “token”' }).waitFor();
  // The box itself is before the first option, and after the last one.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.locator(`main a[href="#/contract/${PRESSER}.office-token"]`).waitFor();
  await page.getByText(/^\d+ contracts found$/).waitFor();
});

test('all that is found can be reached, and it says how much there is', async ({ open, searchFor }) => {
  await open('');
  const results = await searchFor('T');
  // Tokens with the symbol come first, each with its contract id.
  await results.getByText(/^Tokens · 5 of \d+$/).waitFor();
  expect(await results.getByRole('option').first().innerText()).toMatch(/\nS\w{5}.*\.[\w-]+$/s);
  await results.getByRole('option', { name: 'Show more tokens' }).click();
  for (let index = 0; index < EXTRA_TOKENS; index++)
    expect(await results.locator(`a[href^="#/token/"][href$=".token-${index}"]`).count()).toBe(1);
  await searchFor('PAIR-');
  // A numbered series is one row until it is opened.
  await results.getByText(`Contracts · 1 of ${2 * CASE_PAIRS}`).waitFor();
  await results.getByRole('option', { name: `${2 * CASE_PAIRS - 1} more named like this` }).click();
  await results.getByText(`Contracts · ${2 * CASE_PAIRS}`).waitFor();
  expect(await results.locator('a[href^="#/contract/"]').count()).toBe(2 * CASE_PAIRS);
});

test('an id is found in every form, and Enter says why it opens nothing, or searches all names', async ({
  page,
  origin,
  open,
  searchFor,
}) => {
  await open('');
  const token = `${PRESSER}.press-token`;
  const stamps = `${COLLECTOR}.stamp-nft`;
  for (const [typed, place, name] of [
    [`${token}::press`, `#/token/${token}`, 'Press Token'],
    [`'${token}`, `#/token/${token}`, 'Press Token'],
    [`${stamps}/1`, `#/nft/${stamps}/1`, 'Stamp 1'],
    [`${stamps}::stamp`, `#/nft/${stamps}`, 'stamp-nft'],
  ] as const) {
    await searchFor(typed);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}/${place}`);
    // Opening a page clears the box, possibly after the next text was typed.
    await page.getByRole('heading', { name }).waitFor();
  }
  const results = await searchFor(`0x${'ab'.repeat(32)}`);
  await results.getByText('Transactions and blocks are not on this site').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('main').getByText('Transactions and blocks are not on this site').waitFor();
  // A text that no name begins with may be a part of one: all names are searched.
  await searchFor('<nothing>');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/#/search/%3Cnothing%3E`);
  await page.getByRole('heading', { name: 'Nothing found for “<nothing>”' }).waitFor();
  // If nothing has all words, each word is a search, and a word that is in no name has other spellings.
  await searchFor('stamp ofice');
  await results.getByRole('option', { name: 'Search all contract names for “stamp”' }).waitFor();
  await page.keyboard.press('Enter');
  const main = page.locator('main');
  await main.getByRole('link', { name: /^stamp/ }).waitFor();
  await main.getByRole('link', { name: 'office', exact: true }).click();
  await page.locator(`main a[href="#/contract/${PRESSER}.office"]`).waitFor();
  expect(await searchBox(page).inputValue()).toBe('office');
});

test('Back leads from what was found to all that was found, and from there to the page before', async ({
  page,
  origin,
  open,
}) => {
  await open(`#/contract/${PRESSER}.office`);
  await focusSearch(page);
  await page.keyboard.type('press token');
  await page.getByRole('option', { name: 'Press Token' }).first().waitFor();
  for (const choose of ['Enter', 'ArrowDown Enter']) {
    for (const key of choose.split(' ')) await page.keyboard.press(key);
    await page.waitForURL(`${origin}/#/token/${PRESSER}.press-token`);
    expect(await searchBox(page).inputValue()).toBe('');
    await page.goBack();
    await page.waitForURL(`${origin}/#/search/press%20token`);
    await page.locator(`main a[href="#/contract/${PRESSER}.press-token"]`).waitFor();
    expect(await searchBox(page).inputValue()).toBe('press token');
    await page.goForward();
    await page.getByRole('heading', { name: 'Press Token' }).waitFor();
    await page.goBack();
    await page.waitForURL(`${origin}/#/search/press%20token`);
    await searchBox(page).click();
    await page.getByRole('option', { name: 'Press Token' }).first().waitFor();
  }
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL(`${origin}/#/contract/${PRESSER}.office`);
});

test('the search box is a combobox: it says what is found, and where the arrow keys are', async ({ page, open }) => {
  await open('');
  const box = searchBox(page);
  const state = async () => [await box.getAttribute('aria-expanded'), await box.getAttribute('aria-activedescendant')];
  expect(await state()).toEqual(['false', null]);
  await box.fill('press');
  await page.getByRole('option', { name: 'Press Token' }).waitFor();
  expect(await state()).toEqual(['true', null]);
  expect(await page.getByRole('listbox').getAttribute('id')).toBe(await box.getAttribute('aria-controls'));
  await page.locator('.search > [role=status]', { hasText: /^\d+ tokens, \d+ contracts found$/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  expect(await state()).toEqual(['true', 'option-0']);
  expect(await page.locator('[role=option][aria-selected=true]').getAttribute('id')).toBe('option-0');
  expect(await violations(page)).toEqual([]);
  // First the list goes, then the text.
  await page.keyboard.press('Escape');
  expect([...(await state()), await box.inputValue()]).toEqual(['false', null, 'press']);
  await page.keyboard.press('Escape');
  expect(await box.inputValue()).toBe('');
  await page.keyboard.press('Enter');
  await page.getByText('Type a name, a symbol or an address first.').waitFor();
  await box.fill('press');
  await page.getByRole('option', { name: 'Press Token' }).waitFor();
  await page.keyboard.press('Tab');
  expect((await state())[0]).toBe('false');
  // An address leads to all that it deployed.
  await box.fill(PRESSER.toLowerCase());
  await page.getByRole('option', { name: 'All contracts of this address' }).waitFor();
});

test('what cannot be searched is said, and searched again', async ({ context, page, open, searchFor }) => {
  // A page that needs no list of tokens.
  await open('#/nonsense');
  await context.setOffline(true);
  const results = await searchFor('press');
  await results.getByText('Tokens could not be searched. The site did not answer.').waitFor();
  await results.getByText('Contracts could not be searched. The site did not answer.').waitFor();
  await page.keyboard.press('Enter');
  expect(await results.getByText('Nothing found').count()).toBe(0);
  await context.setOffline(false);
  await page.route('**/search/tokens/index.json', (route) => route.fulfill({ status: 500 }));
  await results.getByRole('button', { name: 'Try again' }).click();
  await results.getByText('Tokens could not be searched. The site returned status 500.').waitFor();
  await results.locator(`a[href="#/contract/${PRESSER}.press-token"]`).waitFor();
  await page.unrouteAll();
  await results.getByRole('button', { name: 'Try again' }).click();
  await results.getByRole('option', { name: 'Press Token' }).waitFor();
  expect(await results.getByText('could not be searched').count()).toBe(0);
});

test('a search for a part of a name shows each contract with its address, and Back shows its list again', async ({
  page,
  watched,
  open,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await open('#/search/token');
  const end = page.getByRole('status').getByText(/^\d+ contracts found$/);
  await end.waitFor();
  expect(watched.asked.filter((url) => url.includes('/search/names/'))).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
  // All numbered tokens are one row.
  const hits = page.locator('main .rows a[href^="#/contract/"]');
  const numbered = page.locator(`main .rows a[href^="#/contract/${DEPLOYER}.token-"]`);
  expect(await numbered.count()).toBe(1);
  await page.getByRole('button', { name: `${EXTRA_TOKENS - 1} more named like this` }).click();
  await expect.poll(() => numbered.count()).toBe(EXTRA_TOKENS);
  const count = await hits.count();
  const last = page.locator(`main a[href="#/contract/${PRESSER}.press-token"]`);
  await last.scrollIntoViewIfNeeded();
  const top = await page.evaluate<number>('scrollY');
  expect(top).toBeGreaterThan(0);
  await last.click();
  await page.getByRole('tab', { name: 'Source' }).waitFor();
  await page.goBack();
  await end.waitFor();
  await expect.poll(() => page.evaluate<number>('scrollY')).toBe(top);
  expect(await hits.count()).toBe(count);
  expect(await searchBox(page).inputValue()).toBe('token');
  // Names that differ only in case are two contracts.
  await open('#/search/pair-7');
  await page.locator(`main a[href="#/contract/${DEPLOYER}.pAIR-7"]`).waitFor();
  expect(await page.locator('main .rows .nm').allInnerTexts()).toEqual(['Pair-7', 'pAIR-7']);
  // The beginning of an address finds contracts, too.
  await open(`#/search/${DEPLOYER.slice(0, 12)}`);
  await page.locator(`main a[href^="#/contract/${DEPLOYER}."]`).first().waitFor();
});
