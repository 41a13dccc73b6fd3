// Tests reading the token list of an API in pages.
import { expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { listTokens, type TokenPage } from '#source/stacks-api/api-responses.ts';
import { clientOf, DEEP } from '../../support/server-client.ts';
import { ADDRESS, CONTRACT, sourceOf, TOKEN } from '../source-of.ts';

/** Reads a list that contains this item, and returns the values of the item. */
const valuesOfListed = async (item: Record<string, unknown>) => {
  const { client } = await clientOf(200, { results: [{ contract_principal: TOKEN, ...item }], total: 1, limit: 60 });
  return ((await listTokens(client, 0)) as TokenPage).tokens[0]?.results;
};
const page = async (offset: number, body: unknown) => listTokens((await clientOf(200, body)).client, offset);
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ contract_principal: `${ADDRESS}.t${index}` }));

test('default', async () => {
  const listed = { name: 'Coin', symbol: 'C', decimals: 6, total_supply: '1000', token_uri: 'https://example.org' };
  const { client, requests } = await sourceOf({ ...CONTRACT, listed });
  expect(await listTokens(client, 0)).toStrictEqual({
    tokens: [
      {
        contractId: TOKEN,
        results: [
          { getter: 'get-name', value: 'Coin' },
          { getter: 'get-symbol', value: 'C' },
          { getter: 'get-decimals', value: '6' },
          { getter: 'get-total-supply', value: '1000' },
          { getter: 'get-token-uri', value: 'https://example.org' },
        ],
      },
    ],
    unreadable: [],
    next: undefined,
  });
  expect(requests).toEqual(['/metadata/v1/ft?limit=60&offset=0']);
});

test('reads the complete list in pages', async () => {
  const contracts = items(130).map(({ contract_principal: contractId }) => ({ ...CONTRACT, contractId, listed: {} }));
  const { client, requests } = await sourceOf(...contracts);
  const pages: TokenPage[] = [];
  for (let next: number | undefined = 0; next !== undefined; next = pages.at(-1)?.next)
    pages.push((await listTokens(client, next)) as TokenPage);
  expect(pages.map(({ next }) => next)).toEqual([60, 120, undefined]);
  expect(pages.flatMap(({ tokens }) => tokens.map(({ contractId }) => contractId))).toEqual(
    contracts.map(({ contractId }) => contractId),
  );
  expect(requests.at(-1)).toBe('/metadata/v1/ft?limit=60&offset=120');
});

// Each item has values that the API sends instead of null, or values that a token cannot have.
test.each([
  { name: '', symbol: '', decimals: 0, total_supply: '0', token_uri: '' },
  { name: null, symbol: null, decimals: null, total_supply: null, token_uri: null },
  { name: 1, symbol: {}, decimals: '0', total_supply: 0, token_uri: [] },
  { decimals: -1, total_supply: '-1' },
  { decimals: 1.5, total_supply: '1e30' },
  { decimals: '06', total_supply: '9'.repeat(40) },
  { decimals: 'six', total_supply: '0x10' },
  { decimals: '9'.repeat(39), total_supply: `${2n ** 128n}` },
  {},
])('ignores %j', async (item) => {
  expect(await valuesOfListed(item)).toEqual([]);
});

test.each([
  ['get-decimals', { decimals: '8' }, '8'],
  ['get-total-supply', { total_supply: 21_000_000 }, '21000000'],
  ['get-total-supply', { total_supply: `${2n ** 128n - 1n}` }, `${2n ** 128n - 1n}`],
  ['get-name', { name: '0' }, '0'],
  ['get-symbol', { symbol: ' ' }, ' '],
])('reads %s from %j', async (getter, item, value) => {
  expect(await valuesOfListed(item)).toEqual([{ getter, value }]);
});

test('takes a missing contract id from the asset', async () => {
  const results = [{ asset_identifier: `${TOKEN}::coin` }, { contract_principal: '', asset_identifier: TOKEN }];
  expect(await page(0, { results, total: 2, limit: 60 })).toMatchObject({
    tokens: [{ contractId: TOKEN }, { contractId: TOKEN }],
    unreadable: [],
  });
});

test('skips only an item that lacks a contract', async () => {
  const results = [
    null,
    'token',
    [],
    {},
    { contract_principal: 'token' },
    { contract_principal: 7 },
    { contract_principal: `${TOKEN}::coin` },
    { asset_identifier: `${ADDRESS}::coin` },
    { asset_identifier: { toString: 1 } },
    { contract_principal: { toString: 1 }, asset_identifier: 'DEEP' },
    { contract_principal: TOKEN, name: 'DEEP' },
  ];
  const text = JSON.stringify({ results, total: 11, limit: 60 }).replaceAll('"DEEP"', DEEP);
  expect(await page(60, text)).toMatchObject({
    tokens: [{ contractId: TOKEN, results: [] }],
    unreadable: [60, 61, 62, 63, 64, 65, 66, 67, 68, 69],
  });
});

test.each([
  ['a smaller limit of the API', 0, { total: 50, limit: 20 }, 20, 20],
  ['a page of one item, with a large total', 0, { total: 1_000_000 }, 1, 1],
  ['a larger limit than requested', 0, { total: 100, limit: 200 }, 60, 60],
  ['the last page', 0, { total: 60, limit: 60 }, 60, undefined],
  ['the second page', 60, { total: 1_000, limit: 60 }, 60, 120],
  ['the first page without a total', 0, {}, 60, 60],
  ['the third page without a total', 120, { limit: 20 }, 20, 140],
  ['fewer items than requested', 0, { total: 50 }, 20, 20],
  ['an empty page without a total', 120, {}, 0, undefined],
  ['a total of 0 with a full page', 60, { total: 0 }, 60, 120],
  ['a total that is a string', 0, { total: '1000' }, 60, 60],
  ['an impossible total', 0, { total: 1e15 }, 60, 60],
  ['a limit of 0', 0, { total: 70, limit: 0 }, 60, 60],
])('computes the next offset for %s', async (_, offset, more, count, next) => {
  expect(await page(offset, { results: items(count), ...more })).toHaveProperty('next', next);
});

test.each([
  ['without results', 200, { total: 1 }],
  ['whose results are not a list', 200, { results: {} }],
  ['that is null', 200, null],
  ['that is a list', 200, []],
  ['with status 404', 404, { error: 'Not found' }],
  ['with status 400', 400, { results: [] }],
])('reports not-an-api for a response %s', async (_, status, body) => {
  const { client } = await clientOf(status, body);
  expect(await listTokens(client, 0)).toMatchObject({
    code: 'not-an-api',
    message: expect.stringContaining(`/metadata/v1/ft (status ${status})`),
  });
});

test('reports source-invalid for a page above its size limit', async () => {
  expect(await page(0, 'x'.repeat(5_000_001))).toMatchObject({ code: 'source-invalid' });
  expect(await page(0, `[${'{},'.repeat(100_000)}{}]`)).toMatchObject({
    code: 'source-invalid',
    message: expect.stringContaining('100000 values'),
  });
});

test('reports not-an-api for another page than requested, as from a static host', async () => {
  const first = { results: items(20), limit: 20, offset: 0, total: 50 };
  expect(await page(0, first)).toMatchObject({ next: 20 });
  expect(await page(20, first)).toMatchObject({
    code: 'not-an-api',
    message: expect.stringMatching(/returned the page at offset 0 instead of 20/),
  });
});

test('reports http-500', async () => {
  const { client } = await clientOf(500, 'broken');
  expect(isFailure(await listTokens(client, 0))).toBe(true);
});
