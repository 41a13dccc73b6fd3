// The official clients against the served sample, with nothing changed but the base URL: what they send, what they
// read, and what their types promise.
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createClient as createTokenClient } from '@hirosystems/token-metadata-api-client';
import { createClient as createApiClient, type OperationResponse } from '@stacks/blockchain-api-client';
import {
  abiFunctionToString,
  Cl,
  type ClarityAbi,
  type ClarityValue,
  fetchAbi,
  fetchCallReadOnlyFunction,
  fetchContractMapEntry,
  getAddressFromPublicKey,
  getTypeString,
  makeUnsignedContractCall,
} from '@stacks/transactions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTOR, expectedSample, PRESSER, SAMPLE_ARCHIVE, sampleDeploys } from '../support/sample.ts';
import { serveSample } from '../support/served-sample.ts';
import { tempFolderForFile } from '../support/temp-folder.ts';

const folder = tempFolderForFile();
let errors: readonly unknown[];
/** What came in, newest last. */
const requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
let server: Server;
let base: string;
let tokens: ReturnType<typeof createTokenClient>;
let api: ReturnType<typeof createApiClient>;

beforeAll(async () => {
  ({ server, base, errors } = await serveSample(folder));
  // Before the server's own listener, which changes the URL to that of the file.
  server.prependListener('request', ({ method = '', url = '', headers }) => {
    requests.push({ method, url, headers: { ...headers } });
  });
  tokens = createTokenClient({ baseUrl: base });
  api = createApiClient({ baseUrl: base });
});
afterAll(() => {
  server.close();
});

const expected = expectedSample();
/** The expected body of a path. */
const body = (path: string): unknown => JSON.parse(expected.get(path) ?? 'null');
const namesBelow = (path: string) =>
  [...expected.keys()]
    .filter((key) => key.startsWith(path) && !key.endsWith('.json'))
    .map((key) => key.slice(path.length));

const FT = 'metadata/v1/ft/';
const CONTRACT = 'extended/v1/contract/';
const LOCALES = 'variants/locale/';
const PRESS = `${PRESSER}.press-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
/** Any key will do: nothing is signed or sent. */
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

type Token = NonNullable<Awaited<ReturnType<typeof getToken>>['data']>;
type TokenError = NonNullable<Awaited<ReturnType<typeof getToken>>['error']>;
type List = NonNullable<Awaited<ReturnType<typeof getList>>['data']>;
type ApiStatus = NonNullable<Awaited<ReturnType<typeof getStatus>>['data']>;
type Contract = OperationResponse['get_contract_by_id'];

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
const getContract = (contract_id: string) =>
  api.GET('/extended/v1/contract/{contract_id}', { params: { path: { contract_id } } });

// The clients' types, as schemas that the compiler holds to them: what passes a schema fits the type.
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
  // The identifier is not in the type, and clients that need it drop rows without one.
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
const contractType: z.ZodType<Contract> = z.strictObject({
  tx_id: z.string(),
  canonical: z.boolean(),
  contract_id: z.string(),
  block_height: z.number(),
  clarity_version: z.number().nullable(),
  source_code: z.string(),
  abi: z.string().nullable(),
});

describe('@hirosystems/token-metadata-api-client', () => {
  test('default', async () => {
    const { data, error, response } = await getToken(PRESS);
    expect([response.status, error]).toEqual([200, undefined]);
    expect(data).toEqual(body(FT + PRESS));
    // Read through the client's types, which the compiler checks.
    const supply: bigint = BigInt(data?.total_supply ?? '') / 10n ** BigInt(data?.decimals ?? 0);
    const locales: string[] = data?.metadata?.localization?.locales ?? [];
    expect([supply, locales.length]).toEqual([1n, 3]);
  });

  test('behavior: every token, in every locale, fits the type', async () => {
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
      expect([variant, tokenType.parse(data)]).toEqual([variant, body(LOCALES + variant)]);
    }
  });

  test('behavior: a locale is a query parameter', async () => {
    const { data } = await getToken(PRESS, 'pt-BR');
    expect(data?.metadata?.name).toBe('Press Token (pt-BR)');
    expect(requests.at(-1)?.url).toBe(`/${FT}${PRESS}?locale=pt-BR`);
  });

  test.each([
    ['no such token', 404, MISSING, undefined, 'errors/404/metadata/v1/ft.json'],
    ['a contract that is no token', 404, `${COLLECTOR}.stamp-nft`, undefined, 'errors/404/metadata/v1/ft.json'],
    ['no such locale', 422, PRESS, 'fr', 'errors/422/metadata/v1/ft.json'],
    ['in progress', 422, `${PRESSER}.pending-token`, undefined, `errors/422/${FT}${PRESSER}.pending-token`],
    ['a token error', 422, `${PRESSER}.silent-token`, undefined, `errors/422/${FT}${PRESSER}.silent-token`],
  ])('error: %s', async (_what, status, principal, locale, path) => {
    const { data, error, response } = await getToken(principal, locale);
    expect([data, response.status]).toEqual([undefined, status]);
    expect(tokenErrorType.parse(error)).toEqual(body(path));
  });

  test('error: a bad principal', async () => {
    const { data, error, response } = await getToken('nonsense');
    expect([data, response.status]).toEqual([undefined, 400]);
    // The client's types know no 400; it still reads the body as JSON.
    expect(error).toEqual(body('errors/400/metadata/v1/ft.json'));
  });

  test('behavior: tokens of collections', async () => {
    for (const [kind, contract, number] of [
      ['nft', 'stamp-nft', '0'],
      ['nft', 'stamp-nft', String(2n ** 128n - 1n)],
      ['sft', 'sheet-sft', '7'],
    ] as const) {
      const principal = `${COLLECTOR}.${contract}`;
      const params = { path: { principal, token_id: number as unknown as number } };
      const { data, response } = await tokens.GET(`/metadata/v1/${kind}/{principal}/{token_id}`, { params });
      expect([response.status, data]).toEqual([200, body(`metadata/v1/${kind}/${principal}/${number}`)]);
    }
    const params = { path: { principal: `${COLLECTOR}.stamp-nft`, token_id: 99 } };
    const { error, response } = await tokens.GET('/metadata/v1/nft/{principal}/{token_id}', { params });
    expect([response.status, error]).toEqual([404, { error: 'Token not found' }]);
  });

  test('behavior: the list of tokens', async () => {
    const { data, error, response } = await getList();
    expect([response.status, error]).toEqual([200, undefined]);
    const list = listType.parse(data);
    expect(list).toMatchObject({ offset: 0, total: list.results.length });
    expect(list.limit).toBeGreaterThanOrEqual(list.total);
    const principals = list.results.map((token) => token.contract_principal);
    expect(new Set(principals).size).toBe(principals.length);
    for (const name of namesBelow(FT)) {
      const { metadata: _metadata, ...values } = tokenType.parse(body(FT + name));
      expect(list.results).toContainEqual({ ...values, contract_principal: name });
    }
    // Whatever is listed is known.
    for (const name of principals) expect([name, (await getToken(name)).response.status]).not.toContain(404);
  });

  test('behavior: a page of the list', async () => {
    const whole = listType.parse((await getList()).data);
    const { data } = await getList({ limit: 2, offset: 1 });
    expect(listType.parse(data)).toEqual({
      limit: 2,
      offset: 1,
      total: whole.total,
      results: whole.results.slice(1, 3),
    });
    const { data: beyond } = await getList({ limit: 2, offset: whole.total });
    expect(listType.parse(beyond)).toEqual({ limit: 2, offset: whole.total, total: whole.total, results: [] });
  });

  test('behavior: the list is found and sorted by what the client may ask for', async () => {
    const names = async (query: ListQuery) =>
      listType.parse((await getList(query)).data).results.map(({ contract_principal }) => contract_principal);
    const all = await names({});
    expect(await names({ symbol: 'press' })).toEqual([PRESS]);
    expect(await names({ name: 'PRESS', address: PRESSER })).toEqual([PRESS]);
    expect(await names({ address: COLLECTOR })).toEqual(all.filter((name) => name.startsWith(`${COLLECTOR}.`)));
    // A principal begins with its deployer, and may be asked for as a whole.
    expect(await names({ address: PRESS })).toEqual([PRESS]);
    expect((await getList({ address: 'nonsense' })).response.status).toBe(400);
    expect(await names({ order_by: 'name', order: 'desc' })).toEqual(all.toReversed());
    const withMetadata = all.filter((name) => tokenType.parse(body(FT + name)).metadata !== undefined);
    expect(withMetadata.length).toBeGreaterThan(0);
    expect(withMetadata.length).toBeLessThan(all.length);
    expect(await names({ valid_metadata_only: true })).toEqual(withMetadata);
    expect(await names({ valid_metadata_only: false })).toEqual(all);
    expect(await names({ order_by: 'symbol', order: 'asc', limit: 60 })).toHaveLength(all.length);
  });

  describe('several tokens at once', () => {
    const STAMPS = `${COLLECTOR}.stamp-nft`;
    const SHEETS = `${COLLECTOR}.sheet-sft`;
    const LAST = String(2n ** 128n - 1n);
    const ask = async (...query: readonly (readonly [string, string])[]) => {
      const response = await fetch(
        `${base}/metadata/v1/search?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`,
      );
      return { status: response.status, body: (await response.json()) as Record<string, unknown>[] };
    };
    const of = (...contracts: readonly string[]) => contracts.map((one) => ['contract', one] as const);
    const token = (path: string) => body(path) as Record<string, unknown> & { metadata: Record<string, unknown> };

    test('default', async () => {
      const { status, body: rows } = await ask(...of(`${STAMPS}:0`, PRESS, `${SHEETS}:7`));
      expect(status).toBe(200);
      const { metadata: _, asset_identifier: __, ...press } = token(FT + PRESS);
      const [stamp, sheet] = [token(`metadata/v1/nft/${STAMPS}/0`), token(`metadata/v1/sft/${SHEETS}/7`)];
      const deployOf = (id: string) => (body(`metadata/v1/status/${id}`) as { tx_id: string }).tx_id;
      const { name, description, image: image_canonical_uri } = stamp.metadata;
      expect(rows).toEqual([
        {
          contract_id: STAMPS,
          token_number: 0,
          token_type: 'nft',
          token_uri: stamp.token_uri,
          ...{ name, description, image_canonical_uri },
          tx_id: deployOf(STAMPS),
          sender_address: COLLECTOR,
        },
        { contract_id: PRESS, token_number: 1, token_type: 'ft', ...press },
        {
          contract_id: SHEETS,
          token_number: 7,
          token_type: 'sft',
          decimals: sheet.decimals,
          total_supply: sheet.total_supply,
          token_uri: sheet.token_uri,
          tx_id: deployOf(SHEETS),
          sender_address: COLLECTOR,
        },
      ]);
      expect(deployOf(PRESS)).toBe(press.tx_id);
    });

    test('behavior: without a number it is 1, and a large number is a text', async () => {
      const { body: rows } = await ask(...of(STAMPS, `${STAMPS}:${LAST}`, `${PRESS}:1`));
      expect(rows.map(({ contract_id, token_number }) => [contract_id, token_number])).toEqual([
        [STAMPS, 1],
        [STAMPS, LAST],
        [PRESS, 1],
      ]);
    });

    test('behavior: what has no answer is left out', async () => {
      const others = [
        MISSING,
        `${PRESSER}.pending-token`,
        `${PRESS}:2`,
        `${STAMPS}:99`,
        `${STAMPS}:01`,
        `${STAMPS}:${2n ** 128n}`,
        'index.json',
        '../../v1/ft/index.json',
        '',
      ];
      expect(await ask(...of(...others))).toEqual({ status: 200, body: [] });
    });

    test('behavior: in a locale', async () => {
      const inGerman = token(`${LOCALES}de/${FT}${PRESS}`);
      const { body: rows } = await ask(...of(PRESS, STAMPS), ['locale', 'de']);
      expect(rows[0]?.description).toBe(inGerman.description);
      // The other one has no such document.
      expect(rows[1]).toMatchObject({ contract_id: STAMPS, token_type: 'nft' });
      expect(rows[1]).not.toHaveProperty('description');
      expect((await ask(...of(PRESS), ['locale', ''])).body[0]?.description).toBe(token(FT + PRESS).description);
    });

    test('error: none, and more than 50', async () => {
      const refused = { status: 400, body: body('errors/400/metadata/v1/search/index.json') };
      expect(await ask()).toEqual(refused);
      expect(await ask(['locale', 'de'])).toEqual(refused);
      expect(await ask(...of(...Array(51).fill(PRESS)))).toEqual(refused);
      expect((await ask(...of(...Array(50).fill(PRESS)))).body).toHaveLength(50);
    });
  });

  test('behavior: the paths without a version', async () => {
    for (const path of [
      '/ft',
      '/ft?limit=2&offset=1',
      `/ft/${PRESS}`,
      `/ft/${PRESS}?locale=de`,
      `/ft/${MISSING}`,
      `/nft/${COLLECTOR}.stamp-nft/0`,
      `/sft/${COLLECTOR}.sheet-sft/7`,
      `/search?contract=${PRESS}`,
      '/',
      '',
    ]) {
      const [short, long] = await Promise.all(['/metadata', '/metadata/v1'].map((at) => fetch(base + at + path)));
      expect([path, short?.status, await short?.text()]).toEqual([path, long?.status, await long?.text()]);
    }
  });

  test('behavior: the status', async () => {
    const { data, error, response } = await getStatus();
    // The path of the client ends in a slash.
    expect(requests.at(-1)?.url).toBe('/metadata/v1/');
    expect([response.status, error]).toEqual([200, undefined]);
    const status = apiStatusType.parse(data);
    const tip = lastBlock();
    expect(status).toMatchObject({
      server_version: expect.stringContaining('stxpress'),
      status: 'ready',
      chain_tip: { block_height: tip.block_height, index_block_hash: tip.index_block_hash },
    });
  });
});

describe('@stacks/blockchain-api-client', () => {
  test('default', async () => {
    const { data, error, response } = await getContract(PRESS);
    expect([response.status, error]).toEqual([200, undefined]);
    expect(data).toEqual(body(CONTRACT + PRESS));
    const abi = JSON.parse(data?.abi ?? '') as ClarityAbi;
    expect(abi).toEqual(sampleDeploys().get('press-token')?.interface);
    expect(abi.functions.map(abiFunctionToString)).toContain('(define-read-only (get-name ))');
  });

  test('behavior: every contract fits the type', async () => {
    const names = namesBelow(CONTRACT);
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const { data } = await getContract(name);
      expect([name, contractType.parse(data)]).toEqual([name, body(CONTRACT + name)]);
    }
  });

  test.each([
    ['no such contract', 404, MISSING],
    ['a bad contract id', 400, PRESSER],
  ])('error: %s', async (_what, status, id) => {
    const { data, error, response } = await getContract(id);
    expect([data, response.status]).toEqual([undefined, status]);
    // `error` is typed `{ error: string; message?: string }`.
    const words: (string | undefined)[] = [error?.error, error?.message];
    const { error: title, message } = body(`errors/${status}/extended/v1/contract.json`) as Record<string, string>;
    expect(words).toEqual([title, message]);
  });
});

describe('@stacks/transactions', () => {
  const abiOf = (contractName: string, contractAddress = PRESSER) =>
    fetchAbi({ contractAddress, contractName, client: { baseUrl: base } });

  test('default', async () => {
    expect(await abiOf('press-token')).toEqual(sampleDeploys().get('press-token')?.interface);
    expect(requests.at(-1)).toMatchObject({
      method: 'GET',
      url: `/v2/contracts/interface/${PRESSER}/press-token`,
      headers: { 'x-hiro-product': 'stacksjs' },
    });
  });

  test('behavior: it understands every type of every interface', async () => {
    let types = 0;
    const ids = namesBelow(CONTRACT).filter((id) => !/\.(orphan|unconfirmed)$/.test(id));
    for (const id of ids) {
      const [address = '', name = ''] = id.split('.');
      const abi = await abiOf(name, address);
      for (const type of [
        ...abi.functions.flatMap(({ args, outputs }) => [...args.map((arg) => arg.type), outputs.type]),
        ...abi.variables.map((variable) => variable.type),
        ...abi.maps.flatMap((map) => [map.key, map.value]),
        ...abi.non_fungible_tokens.map((asset) => asset.type),
      ]) {
        expect(getTypeString(type)).toMatch(/^[a-z(]/);
        types += 1;
      }
    }
    expect(types).toBeGreaterThan(50);
  });

  test('behavior: an unconfirmed contract is there at tip=latest alone', async () => {
    const at = (query: string) =>
      fetchAbi({
        contractAddress: COLLECTOR,
        contractName: 'unconfirmed',
        client: { baseUrl: base, fetch: (url, init) => fetch(`${url}${query}`, init) },
      });
    const path = `variants/tip/latest/v2/contracts/interface/${COLLECTOR}/unconfirmed`;
    expect(await at('?tip=latest')).toEqual(body(path));
    const { error } = body('errors/404/v2/contracts/interface.json') as { error: string };
    await expect(at('')).rejects.toThrow(`Response 404: Not Found.`);
    await expect(at('')).rejects.toThrow(error);
  });

  test('behavior: a browser may send its header', async () => {
    // A header of its own makes a browser ask first, whether it may send it.
    await abiOf('press-token');
    const sent = requests.at(-1)?.headers ?? {};
    const own = Object.keys(sent).filter((name) => name.startsWith('x-'));
    expect(own).toEqual(['x-hiro-product']);
    const preflight = await fetch(`${base}/v2/contracts/interface/${PRESSER}/press-token`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://wallet.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': own.join(','),
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    // A star covers whatever a client sends, but not its credentials.
    expect(allowed).toEqual(expect.arrayContaining(['*', 'authorization']));
  });

  describe('a contract call that is checked against the interface', () => {
    const owner = getAddressFromPublicKey(PUBLIC_KEY, 'testnet');
    const call = (functionName: string, ...functionArgs: ClarityValue[]) =>
      makeUnsignedContractCall({
        contractAddress: PRESSER,
        contractName: 'press-token',
        functionName,
        functionArgs,
        publicKey: PUBLIC_KEY,
        fee: 1,
        nonce: 0,
        network: 'testnet',
        client: { baseUrl: base },
        validateWithAbi: true,
      });
    const amount = Cl.uint(5);
    const sender = Cl.principal(owner);
    const recipient = Cl.principal(PRESS);

    test('default', async () => {
      const before = requests.length;
      const transaction = await call('transfer', amount, sender, recipient, Cl.none());
      expect(transaction.payload).toMatchObject({ functionName: { content: 'transfer' } });
      expect(requests.slice(before).map(({ url }) => url)).toEqual([`/v2/contracts/interface/${PRESSER}/press-token`]);
    });

    test('error: a wrong type', async () => {
      await expect(call('transfer', Cl.int(5), sender, recipient, Cl.none())).rejects.toThrow(
        'expects argument 1 to be of type uint, not int',
      );
    });

    test('error: an argument too few', async () => {
      await expect(call('transfer', amount, sender, recipient)).rejects.toThrow('expects 4 argument(s) but received 3');
    });

    test('error: no such function', async () => {
      await expect(call('steal', amount)).rejects.toThrow("ABI doesn't contain a function with the name steal");
    });

    test('error: no such contract', async () => {
      await expect(abiOf('nothing')).rejects.toThrow('Response 404');
    });
  });

  test('error: what only a node can do is refused as a method', async () => {
    const { error } = body('errors/405.json') as { error: string };
    const asked = { contractAddress: PRESSER, contractName: 'press-token', client: { baseUrl: base } };
    const calls = [
      () => fetchCallReadOnlyFunction({ ...asked, functionName: 'get-name', functionArgs: [], senderAddress: PRESSER }),
      () => fetchContractMapEntry({ ...asked, mapName: 'a-map', mapKey: Cl.uint(1) }),
    ];
    for (const refused of calls) {
      await expect(refused()).rejects.toThrow('Response 405: Method Not Allowed');
      await expect(refused()).rejects.toThrow(error);
    }
  });
});

test('behavior: nothing went wrong in the server', () => {
  expect(requests.length).toBeGreaterThan(50);
  expect(errors).toEqual([]);
});

/** The last block of the sample's archive. */
function lastBlock(): { block_height: number; index_block_hash: string } {
  const blocks = readFileSync(SAMPLE_ARCHIVE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , path]) => path === '/new_block');
  return JSON.parse((blocks.at(-1)?.[3] ?? '').replaceAll('\\\\', '\\'));
}
