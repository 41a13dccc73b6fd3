// Tests the pages of contracts, tokens and collections.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { graphBlockOf } from '#layout/data-files.ts';
import { PNG } from '../../support/picture.ts';
import { COLLECTOR, PRESSER } from '../../support/sample.ts';
import { DEPLOYER } from '../site.ts';
import { test } from './pages.ts';

const SAMPLE_CONTRACTS = new URL('../../../data/sample/contracts/', import.meta.url);

test('what a contract defines is shown, and its source copied and downloaded', async ({ context, page, open }) => {
  const source = readFileSync(new URL('press-token.clar', SAMPLE_CONTRACTS), 'utf8');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`#/contract/${PRESSER}.press-token`);
  await page.getByRole('button', { name: 'Copy source' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(source);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download press-token.clar' }).click();
  expect((await download).suggestedFilename()).toBe('press-token.clar');
  expect(readFileSync(await (await download).path(), 'utf8')).toBe(source);
  await page.getByRole('tab', { name: 'Interface' }).click();
  for (const title of ['Read-only functions', 'Public functions', 'State', 'Traits'])
    await page.getByRole('heading', { name: title }).waitFor();
  for (const [name, kind] of [
    ['token-uri', 'variable'],
    ['OWNER', 'constant'],
    ['press', 'fungible token'],
  ] as const)
    expect(await page.getByRole('row', { name }).first().innerText()).toContain(kind);
  await page.getByRole('link', { name: 'token-uri', exact: true }).click();
  await page.locator('#L6.at').waitFor();
});

test('who calls whom, where the site has files of it', async ({ page, origin, open }) => {
  const [own, other] = [`${PRESSER}.press-token`, `${COLLECTOR}.stamp-nft`];
  const none = { status: 404, json: { error: 'Not Found' } };
  await page.route(`${origin}/graph/**`, (route) => route.fulfill(none));
  await open(`#/contract/${own}/calls`);
  await page.getByText('No contract calls this one, as far as this site knows.').waitFor();
  await page.getByText('No other contract has this exact source.').waitFor();
  const callers = Array.from({ length: 1_100 }, (_, index) => [
    `${index % 3 === 0 ? COLLECTOR : PRESSER}.caller-${index}`,
    'go',
    ...(index % 20 === 0 ? ['stop'] : []),
  ]);
  const graph = {
    contract_id: own,
    calls: [[other, 'mint', 'burn']],
    on_traits: ['get-price'],
    implements: [`${PRESSER}.sip-010-trait.sip-010-trait`],
    uses: [],
    called_by: { count: callers.length, first: callers.slice(0, 1_000) },
    original: other,
    copies: { count: 1, first: [[`${PRESSER}.copy`]] },
    partial: true,
  };
  const block = `${origin}/graph/${graphBlockOf(own)}.json`;
  await page.route(block, (route) => route.fulfill({ json: { [own]: graph } }));
  await open(`#/contract/${own}/calls`);
  const titles = async () => (await page.locator('#panel h2').allInnerTexts()).map((text) => text.replace(/\s+/, ' '));
  await page.getByText('mint burn').waitFor();
  expect(await titles()).toEqual(['Called by 1,100', 'Calls 1', 'Calls on traits 1', 'Implements 1', 'Same source 2']);
  await page.getByText('Only the first 1,000 of the chain are listed.').waitFor();
  await page.getByText('The source names more than these.').waitFor();
  const list = page.locator('#panel section', { hasText: 'Called by' });
  const rows = list.getByRole('listitem');
  expect(await rows.count()).toBe(20);
  expect(await rows.first().innerText()).toMatch(/^caller-0\n[\s\S]*\ngo stop$/);
  await list.getByRole('button', { name: 'Show 100 more' }).click();
  await expect.poll(() => rows.count()).toBe(120);
  const filter = page.getByLabel('Filter by contract, address or function');
  await filter.fill('stop');
  await expect.poll(() => rows.count()).toBe(50);
  await filter.fill('caller-6');
  await expect.poll(() => rows.count()).toBe(111);
  // Back shows the filter again.
  await list.getByRole('link', { name: 'caller-620' }).click();
  await page.getByRole('heading', { name: 'There is no contract here' }).waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(111);
  expect(await filter.inputValue()).toBe('caller-6');
  await filter.fill('nothing');
  await page.getByText('No contract matches').waitFor();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect.poll(() => rows.count()).toBe(120);
  expect(await page.locator(`#panel a[href="#/contract/${PRESSER}.sip-010-trait"]`).count()).toBe(1);
});

test('a token of a collection says where it stands, and leads to those beside it', async ({ page, open }) => {
  await open(`#/nft/${COLLECTOR}.stamp-nft`);
  await page.getByLabel('Go to number').fill('x');
  await page.keyboard.press('Enter');
  await page.getByText('Enter a token number, such as 7.').waitFor();
  await page.getByLabel('Go to number').fill('0');
  await page.keyboard.press('Enter');
  await page.getByText('1 of 4').waitFor();
  expect(await page.locator('a[rel=prev]').count()).toBe(0);
  await page.getByRole('link', { name: '#1' }).click();
  await page.getByText('2 of 4').waitFor();
  await page.locator('a[rel=prev]', { hasText: '#0' }).waitFor();
});

test('what is queued, burned or of a semi-fungible token is shown', async ({ page, open }) => {
  await open('');
  await page.getByText('1 not read yet').waitFor();
  await open(`#/nft/${COLLECTOR}.stamp-nft`);
  expect(await page.locator('.facts div', { hasText: 'Burned' }).innerText()).toBe('Burned\n1');
  await page.locator('.nfts a', { hasText: 'Burned' }).click();
  // The page of the collection, which also shows the word, stays until the item is read.
  await page.getByText('3 of 4').waitFor();
  await page.getByText('Burned', { exact: true }).waitFor();
  expect(page.url()).toContain('.stamp-nft/2');
  await open(`#/nft/${COLLECTOR}.stamp-nft/1`);
  expect(await page.getByText('Burned').count()).toBe(0);
  // A status lists only the first of many burned items.
  await page.route('**/metadata/v1/status/*', (route) =>
    route.fulfill({ json: { tokens: { burned: 200 }, burned: ['2'], values: {} } }),
  );
  for (const [number, count] of [
    ['1', 0],
    [String(2n ** 128n - 1n), 1],
  ] as const) {
    await open(`#/nft/${COLLECTOR}.stamp-nft/${number}`);
    expect(await page.getByText('It is unknown whether the item is burned: 200 items are').count()).toBe(count);
  }
  await page.unrouteAll();
  await open(`#/nft/${PRESSER}.press-token`);
  await page.getByRole('heading', { name: 'There is no collection here' }).waitFor();
  await page.getByText('This contract is not a token of this kind.').waitFor();
  await open(`#/sft/${COLLECTOR}.sheet-sft/1`);
  for (const [name, value] of [
    ['Supply', '50'],
    ['Decimals', '0'],
  ] as const)
    expect(await page.locator('.facts div', { hasText: name }).innerText()).toBe(`${name}\n${value}`);
});

test('after a picture that is broken, that of another language is shown', async ({ page, origin, open }) => {
  const [broken, good] = [`images/${'0'.repeat(64)}.png`, `images/${'1'.repeat(64)}.png`];
  const path = `metadata/v1/ft/${PRESSER}.press-token`;
  for (const [asked, image] of [
    [`${origin}/${path}`, broken],
    [`${origin}/variants/locale/de/${path}`, good],
  ] as const)
    await page.route(asked, async (route) => {
      const answer = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...answer, image_uri: `/${image}` } });
    });
  await page.route(`**/${good}`, (route) => route.fulfill({ body: PNG, contentType: 'image/png' }));
  await open(`#/token/${PRESSER}.press-token`);
  await page.locator('.title svg.pic').waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.locator(`.title img[src$="${good}"]`).waitFor();
});

test('why a token has no answer, and where its values are from', async ({ page, open }) => {
  await open(`#/token/${PRESSER}.silent-token`);
  await page.getByRole('heading', { name: 'What is missing, and why' }).waitFor();
  await page.getByText('The name is missing').waitFor();
  await open(`#/token/${PRESSER}.press-token`);
  await page.getByText('supply from mints and burns').waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { name: 'Press Token' }).waitFor();
  await page.getByText('"language": "de"').waitFor();
});

test('tells owners and readers apart, and a token without a document from a failure', async ({ page, open }) => {
  await open(`#/token/${PRESSER}.silent-token`);
  expect(await page.locator('h1').innerText()).toBe('Name not known');
  await page.getByText('Each of them returned (err u404).').waitFor();
  await page.getByText('Is this your token?').waitFor();
  await page.getByText(`/metadata/v1/status/`).waitFor();
  await open(`#/token/${PRESSER}.whole-token`);
  await page.getByText('Not named by the token').waitFor();
  expect(await page.locator('main .note, main .badge.warn').count()).toBe(0);
  await page.route('**/metadata/v1/status/*', (route) =>
    route.fulfill({
      json: {
        state: 'error',
        values: {},
        failure: { code: 'vm-crash', message: 'The Clarity VM crashed: unreachable' },
      },
    }),
  );
  await open(`#/token/${PRESSER}.silent-token`);
  await page.getByText('The contract may be right.').waitFor();
  expect(await page.getByText(/Is this your token|unreachable/).count()).toBe(0);
});

test('curated facts have the name of their curator', async ({ page, open }) => {
  const curated = {
    source: 'Example list',
    verified_by: ['Alice', 'Bob'],
    links: { white_paper: 'https://press.example/paper' },
    deprecated: true,
    replaced_by: `${PRESSER}.whole-token`,
  };
  await page.route('**/metadata/v1/status/*', async (route) => {
    const status = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...status, curated } });
  });
  for (const place of [`#/token/${PRESSER}.press-token`, `#/nft/${COLLECTOR}.stamp-nft`]) {
    await open(place);
    await page.getByText('By Example list, not from the chain').waitFor();
    const facts = page.locator('section', { hasText: 'Curated facts' });
    expect(await facts.innerText()).toMatch(/Alice, Bob\s+Deprecated\s+Yes\s+Replaced by\s+ST2JK0\S+\.whole-token/);
    expect(await facts.getByText('press.example/paper').getAttribute('href')).toBe(curated.links.white_paper);
    await page.locator('.badge', { hasText: 'Deprecated' }).waitFor();
  }
});

test('no link leads to the JSON of what is not there', async ({ page, open }) => {
  for (const kind of ['token', 'nft', 'sft', 'contract']) {
    await open(`#/${kind}/${PRESSER}.nothing`);
    await page.getByText('This site knows no contract with this id.').waitFor();
    expect(await page.locator('main a[href^="metadata/"], main a[href^="extended/"], .pic').count()).toBe(0);
  }
});

test('counts the functions of a contract, and marks an unconfirmed and an orphaned one', async ({ page, open }) => {
  for (const [name, count] of [
    ['every-type', 3],
    ['office', 1],
  ] as const) {
    await open(`#/contract/${PRESSER}.${name}`);
    await page.getByRole('tab', { name: `Interface ${count}`, exact: true }).waitFor();
  }
  await open(`#/contract/${DEPLOYER}.unconfirmed`);
  await page.getByText('Unconfirmed', { exact: true }).waitFor();
  await page.getByText(/^Not confirmed up to block \d+$/).waitFor();
  await page.getByText('This contract is not confirmed yet').waitFor();
  await open(`#/contract/${PRESSER}.orphan`);
  await page.getByText('This contract is not on the chain').waitFor();
  await open(`#/contract/${PRESSER}.press-token`);
  await page.getByText('block 2', { exact: true }).waitFor();
  expect(await page.locator('main .badge.warn').count()).toBe(0);
});
