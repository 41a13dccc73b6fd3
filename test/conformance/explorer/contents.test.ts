// What the explorer shows of a contract, a token and a collection.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { graphBlockOf } from '#layout/graph-blocks.ts';
import { chainListener, chainOf } from '../../support/chain-listener.ts';
import { loopbackServer } from '../../support/loopback-server.ts';
import { PNG } from '../../support/picture.ts';
import { COLLECTOR, PRESSER } from '../../support/sample.ts';
import { callInVm } from '../../support/vm-node.ts';
import { openUrl, PICTURES, test } from './pages.ts';

const SAMPLE_CONTRACTS = new URL('../../../data/sample/contracts/', import.meta.url);

test('what a contract defines is shown, and its source copied and downloaded', async ({ context, page, open }) => {
  const source = readFileSync(new URL('press-token.clar', SAMPLE_CONTRACTS), 'utf8');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`#/contract/${PRESSER}.press-token`);
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

test('who calls whom, and who has a function, where the site has files of it', async ({ page, origin, open }) => {
  const [own, other] = [`${PRESSER}.press-token`, `${COLLECTOR}.stamp-nft`];
  const none = { status: 404, json: { error: 'Not Found' } };
  await page.route(`${origin}/graph/**`, (route) => route.fulfill(none));
  // Pages that came by plain http from another machine lack this interface.
  await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
  await open(`#/contract/${own}/calls`);
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
  const files = {
    [`graph/${graphBlockOf(own)}.json`]: { [own]: graph },
    [`graph/lists/called-by/${own}/0`]: callers.slice(0, 1_000),
    [`graph/lists/called-by/${own}/1`]: callers.slice(1_000),
    'search/functions/index.json': [['get-a', 'a1']],
    'search/functions/a1': [
      ['get-price', 2, own, other],
      ['get-price-of', 70, own],
    ],
  };
  for (const [path, json] of Object.entries(files))
    await page.route(`${origin}/${path}`, (route) => route.fulfill({ json }));
  await open(`#/contract/${own}/calls`);
  const titles = async () => (await page.locator('#panel h2').allInnerTexts()).map((text) => text.replace(/\s+/, ' '));
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
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'calls-filled.png') });
  await page.getByRole('link', { name: 'get-price' }).click();
  await page.getByRole('heading', { name: 'Contracts with a function get-price' }).waitFor();
  await page.getByText('2 in all.').waitFor();
  await page.getByRole('combobox', { name: /^Find/ }).fill('get-pr');
  await page.getByRole('option', { name: 'function of 70 contracts' }).click();
  await page.getByText('70 in all; the first 1 are named.').waitFor();
  await page.getByRole('link', { name: own }).click();
  await page.waitForURL(`${origin}/#/contract/${own}/interface`);
  // A name of a page is not too short, however short it is for a search.
  await page.unroute(`${origin}/search/functions/a1`);
  await page.route(`${origin}/search/functions/a1`, (route) => route.fulfill({ json: [['go', 1, own]] }));
  await page.route(`${origin}/search/functions/index.json`, (route) => route.fulfill({ json: [['go', 'a1']] }));
  await open('#/function/go');
  await page.getByText('1 in all.').waitFor();
});

test('read-only functions are called at the node that a reader names, and at none before', async ({
  context,
  origin,
}) => {
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
  const page = await context.newPage();
  await openUrl(page, `${origin}/#/contract/${contractId}`);
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
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, 'calls.png'), fullPage: true });
  // It is remembered, whatever is typed instead that is none.
  await field.fill('htp:/typo');
  await field.press('Enter');
  await page.getByText(`${node.url} stays in use.`).waitFor();
  await openUrl(page, `${origin}/#/contract/${contractId}`);
  await page.getByRole('tab', { name: 'Interface' }).click();
  await page.getByText('(ok "PRESS")').waitFor();
  await page.route(`${node.url}/**`, (route) => route.abort());
  await page.getByRole('button', { name: 'Call get-name' }).click();
  // Other getters may still be asked.
  await page.getByRole('listitem').filter({ hasText: '(get-name)' }).getByText('The node cannot be reached').waitFor();
});

test('a token of a collection says where it stands, and leads to those beside it', async ({ page, open }) => {
  await open(`#/nft/${COLLECTOR}.stamp-nft`);
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
});

test('what is queued, burned or of a semi-fungible token is shown', async ({ page, open }) => {
  await open('');
  await page.getByText('1 more to be read').waitFor();
  await open(`#/nft/${COLLECTOR}.stamp-nft`);
  await page.getByText('1 of them').waitFor();
  await page.getByRole('link', { name: /burned/ }).click();
  await page.getByText('Burned', { exact: true }).waitFor();
  expect(page.url()).toContain('.stamp-nft/2');
  await open(`#/nft/${COLLECTOR}.stamp-nft/1`);
  expect(await page.getByText('Burned').count()).toBe(0);
  // Of many, the first ones are named.
  await page.route('**/metadata/v1/status/*', (route) =>
    route.fulfill({ json: { tokens: { burned: 200 }, burned: ['2'] } }),
  );
  for (const [number, count] of [
    ['1', 0],
    [String(2n ** 128n - 1n), 1],
  ] as const) {
    await open(`#/nft/${COLLECTOR}.stamp-nft/${number}`);
    expect(await page.getByText('Not known: 200 of the collection are burned').count()).toBe(count);
  }
  await page.unrouteAll();
  await open(`#/nft/${PRESSER}.press-token`);
  await page.getByText('Token not found').waitFor();
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
  await page.locator('.title span.picture').waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.locator(`.title img[src$="${good}"]`).waitFor();
});

test('why a token has no answer, and where its values are from', async ({ page, open }) => {
  await open(`#/token/${PRESSER}.silent-token`);
  await page.getByText('No on-chain value could be read').waitFor();
  await open(`#/token/${PRESSER}.press-token`);
  await page.getByText('mints and burns').waitFor();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await page.getByRole('heading', { name: 'Press Token' }).waitFor();
  await page.getByText('"language": "de"').waitFor({ state: 'attached' });
});

test('no link leads to the JSON of what is not there', async ({ page, open }) => {
  for (const kind of ['token', 'nft', 'sft', 'contract']) {
    await open(`#/${kind}/${PRESSER}.nothing`);
    await page.locator('.problem').first().waitFor();
    expect(await page.locator('.raw').count()).toBe(0);
  }
});
