// Tests the official client of the token metadata API with the served sample. Checks its requests, its results and its
// types.
import { readFileSync } from 'node:fs';
import { createClient as createTokenClient } from '@hirosystems/token-metadata-api-client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTOR, PRESSER, SAMPLE_ARCHIVE } from '../../support/sample.ts';
import { servedSample } from '../../support/served-sample.ts';

const { base, requests, body, namesBelow } = await servedSample();
const tokens = createTokenClient({ baseUrl: base });

const FT = 'metadata/v1/ft/';
const LOCALES = 'variants/locale/';
const PRESS = `${PRESSER}.press-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';

type Token = NonNullable<Awaited<ReturnType<typeof getToken>>['data']>;
type TokenError = NonNullable<Awaited<ReturnType<typeof getToken>>['error']>;
type List = NonNullable<Awaited<ReturnType<typeof getList>>['data']>;
type ApiStatus = NonNullable<Awaited<ReturnType<typeof getStatus>>['data']>;

const getToken = (principal: string, locale?: string) =>
  tokens.GET('/metadata/v1/ft/{principal}', {
    params: { path: { principal }, ...(locale === undefined ? {} : { query: { locale } }) },
  });
interface ListQuery {
  readonly limit?: number;
  readonly offset?: number;
  readonly name?: string;
  readonly symbol?: string;
  readonly address?: string;
  readonly order_by?: 'name' | 'symbol';
  readonly order?: 'asc' | 'desc';
  readonly valid_metadata_only?: boolean;
}
const getList = (query: ListQuery = {}) => tokens.GET('/metadata/v1/ft', { params: { query } });
const getStatus = () => tokens.GET('/metadata/v1/');

// Schemas of the client's types. The compiler checks that each value which passes a schema has the client's type.
const text = z.string().exactOptional();
const listedValues = {
  name: text,
  symbol: text,
  decimals: z.number().exactOptional(),
  total_supply: text,
  token_uri: text,
  description: text,
  image_uri: text,
  image_thumbnail_uri: text,
  image_canonical_uri: text,
  tx_id: z.string(),
  sender_address: z.string(),
};
const tokenType: z.ZodType<Token> = z.strictObject({
  ...listedValues,
  asset_identifier: z.string(),
  metadata: z
    .strictObject({
      sip: z.number(),
      name: text,
      description: text,
      image: text,
      cached_image: text,
      cached_thumbnail_image: text,
      attributes: z
        .array(z.strictObject({ trait_type: z.string(), display_type: text, value: z.json() }))
        .exactOptional(),
      properties: z.record(z.string(), z.json()).exactOptional(),
      localization: z
        .strictObject({ uri: z.string(), default: z.string(), locales: z.array(z.string()) })
        .exactOptional(),
    })
    .exactOptional(),
});
const tokenErrorType: z.ZodType<TokenError> = z.union([
  z.strictObject({ error: z.literal(['Token not found', 'Contract not found']) }),
  z.strictObject({ error: z.literal(['Token metadata fetch in progress', 'Locale not found']) }),
  z.strictObject({ error: z.literal('Token error'), message: z.string() }),
]);
const listType: z.ZodType<List> = z.strictObject({
  limit: z.number(),
  offset: z.number(),
  total: z.number(),
  // The client's type has no `asset_identifier`. Clients that need it ignore rows without it.
  results: z.array(z.strictObject({ ...listedValues, asset_identifier: z.string(), contract_principal: z.string() })),
});
const count = z.number().exactOptional();
const apiStatusType: z.ZodType<ApiStatus> = z.looseObject({
  server_version: z.string(),
  status: z.string(),
  chain_tip: z.looseObject({ block_height: z.number() }),
  tokens: z.strictObject({ ft: count, nft: count, sft: count }).exactOptional(),
  token_contracts: z.strictObject({ 'sip-009': count, 'sip-010': count, 'sip-013': count }).exactOptional(),
  job_queue: z
    .strictObject({ pending: count, queued: count, done: count, failed: count, invalid: count })
    .exactOptional(),
});

test('default', async () => {
  const { data, error, response } = await getToken(PRESS);
  expect([response.status, error]).toEqual([200, undefined]);
  // The compiler checks these values against the client's types.
  const supply: bigint = BigInt(data?.total_supply ?? '') / 10n ** BigInt(data?.decimals ?? 0);
  const locales: string[] = data?.metadata?.localization?.locales ?? [];
  expect([supply, locales.length]).toEqual([1n, 3]);
});

test('matches the type for every token in every locale', async () => {
  const names = namesBelow(FT);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const { data } = await getToken(name);
    expect([name, tokenType.parse(data)]).toEqual([name, body(FT + name)]);
  }
  const variants = namesBelow(LOCALES);
  expect(variants.length).toBeGreaterThan(2);
  for (const variant of variants) {
    const [locale = '', name = ''] = variant.split(`/${FT}`);
    const { data } = await getToken(name, locale);
    expect(requests.at(-1)?.url).toBe(`/${FT}${name}?locale=${locale}`);
    expect([variant, tokenType.parse(data)]).toEqual([variant, body(LOCALES + variant)]);
  }
});

test.each([
  ['no such token', 404, MISSING, undefined, 'errors/404/metadata/v1/ft.json'],
  ['a contract that is no token', 404, `${COLLECTOR}.stamp-nft`, undefined, 'errors/404/metadata/v1/ft.json'],
  ['no such locale', 422, PRESS, 'fr', 'errors/422/metadata/v1/ft.json'],
  ['in progress', 422, `${PRESSER}.pending-token`, undefined, `errors/422/${FT}${PRESSER}.pending-token`],
  ['a token error', 422, `${PRESSER}.silent-token`, undefined, `errors/422/${FT}${PRESSER}.silent-token`],
  ['a bad principal', 400, 'nonsense', undefined, 'errors/400/metadata/v1/ft.json'],
])('%s', async (_what, status, principal, locale, path) => {
  const { data, error, response } = await getToken(principal, locale);
  expect([data, response.status, error]).toEqual([undefined, status, body(path)]);
  // The client's types do not include status 400, so this body does not fit the schema of errors.
  if (status !== 400) tokenErrorType.parse(error);
});

test('reads tokens of collections', async () => {
  for (const [kind, contract, number] of [
    ['nft', 'stamp-nft', '0'],
    ['nft', 'stamp-nft', String(2n ** 128n - 1n)],
    ['sft', 'sheet-sft', '7'],
    ['nft', 'stamp-nft', '99'],
  ] as const) {
    const principal = `${COLLECTOR}.${contract}`;
    const params = { path: { principal, token_id: number as unknown as number } };
    const { data, error, response } = await tokens.GET(`/metadata/v1/${kind}/{principal}/{token_id}`, { params });
    if (number === '99') expect([response.status, error]).toEqual([404, { error: 'Token not found' }]);
    else expect([response.status, data]).toEqual([200, body(`metadata/v1/${kind}/${principal}/${number}`)]);
  }
});

// Slices, searches and sort orders are tested in test/serving/list-slices.test.ts.
test('reads the list of tokens, its pages, and search results', async () => {
  const read = async (query: ListQuery = {}) => listType.parse((await getList(query)).data);
  const list = await read();
  expect(list).toMatchObject({ offset: 0, total: list.results.length });
  expect(list.limit).toBeGreaterThanOrEqual(list.total);
  const principals = list.results.map((token) => token.contract_principal);
  expect(new Set(principals).size).toBe(principals.length);
  for (const name of namesBelow(FT)) {
    const { metadata: _metadata, ...values } = tokenType.parse(body(FT + name));
    expect(list.results).toContainEqual({ ...values, contract_principal: name });
  }
  // The response for each listed token exists.
  for (const name of principals) expect([name, (await getToken(name)).response.status]).not.toContain(404);

  const { total, results } = list;
  expect(await read({ limit: 2, offset: 1 })).toEqual({ limit: 2, offset: 1, total, results: results.slice(1, 3) });
  expect(await read({ limit: 2, offset: total })).toEqual({ limit: 2, offset: total, total, results: [] });
  const found = async (query: ListQuery) =>
    (await read(query)).results.map(({ contract_principal }) => contract_principal);
  expect(await found({ symbol: 'press' })).toEqual([PRESS]);
  expect(await found({ name: 'PRESS', address: PRESSER })).toEqual([PRESS]);
  expect((await getList({ address: 'nonsense' })).response.status).toBe(400);
  expect(await found({ order_by: 'name', order: 'desc' })).toEqual(principals.toReversed());
  const withMetadata = principals.filter((name) => tokenType.parse(body(FT + name)).metadata !== undefined);
  expect(withMetadata.length).toBeGreaterThan(0);
  expect(await found({ valid_metadata_only: true })).toEqual(withMetadata);
});

test('reads the status', async () => {
  const { data, error, response } = await getStatus();
  // The path that the client requests ends in a slash.
  expect(requests.at(-1)?.url).toBe('/metadata/v1/');
  expect([response.status, error]).toEqual([200, undefined]);
  const blocks = readFileSync(SAMPLE_ARCHIVE, 'utf8').match(/(?<=\t\/new_block\t).*/g) ?? [];
  const tip = JSON.parse((blocks.at(-1) ?? '').replaceAll('\\\\', '\\')) as Record<string, unknown>;
  expect(apiStatusType.parse(data)).toMatchObject({
    server_version: expect.stringContaining('stxpress'),
    status: 'ready',
    chain_tip: { block_height: tip.block_height, index_block_hash: tip.index_block_hash },
  });
});
