// Tests the official clients of the APIs and of a node with the served sample: their requests, their results and their
// types.
import { createClient as createTokenClient } from '@hirosystems/token-metadata-api-client';
import { createClient as createApiClient, type OperationResponse } from '@stacks/blockchain-api-client';
import {
  Cl,
  type ClarityValue,
  fetchAbi,
  fetchCallReadOnlyFunction,
  fetchContractMapEntry,
  getAddressFromPublicKey,
  getTypeString,
  makeUnsignedContractCall,
} from '@stacks/transactions';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { COLLECTOR, PRESSER, sampleDeploys } from '../support/sample.ts';
import { servedSample } from '../support/served-sample.ts';

const { base, requests, body, namesBelow } = await servedSample();
const tokens = createTokenClient({ baseUrl: base });
const api = createApiClient({ baseUrl: base });

const FT = 'metadata/v1/ft/';
const LOCALES = 'variants/locale/';
const CONTRACT = 'extended/v1/contract/';
const PRESS = `${PRESSER}.press-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
const LAST = String(2n ** 128n - 1n);
/** A public key that the client requires. Any key works, since no transaction is signed or sent. */
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

type Token = NonNullable<Awaited<ReturnType<typeof getToken>>['data']>;
type TokenError = NonNullable<Awaited<ReturnType<typeof getToken>>['error']>;
type List = NonNullable<Awaited<ReturnType<typeof getList>>['data']>;
type ApiStatus = NonNullable<Awaited<ReturnType<typeof getStatus>>['data']>;

const getToken = (principal: string, locale?: string) =>
  tokens.GET('/metadata/v1/ft/{principal}', {
    params: { path: { principal }, ...(locale === undefined ? {} : { query: { locale } }) },
  });
const getNumbered = (kind: 'nft' | 'sft', principal: string, token_id: string) =>
  tokens.GET(`/metadata/v1/${kind}/{principal}/{token_id}`, {
    params: { path: { principal, token_id: token_id as unknown as number } },
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

// Schemas of the clients' types. The compiler checks that each value which passes a schema has the client's type.
const text = z.string().exactOptional();
const count = z.number().exactOptional();
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
const statusType: z.ZodType<ApiStatus> = z.looseObject({
  server_version: z.string(),
  status: z.string(),
  chain_tip: z.looseObject({ block_height: z.number() }),
  tokens: z.strictObject({ ft: count, nft: count, sft: count }).exactOptional(),
  token_contracts: z.strictObject({ 'sip-009': count, 'sip-010': count, 'sip-013': count }).exactOptional(),
  job_queue: z
    .strictObject({ pending: count, queued: count, done: count, failed: count, invalid: count })
    .exactOptional(),
});
const contractType: z.ZodType<OperationResponse['get_contract_by_id']> = z.strictObject({
  tx_id: z.string(),
  canonical: z.boolean(),
  contract_id: z.string(),
  block_height: z.number(),
  clarity_version: z.number().nullable(),
  source_code: z.string(),
  abi: z.string().nullable(),
});

const [STAMPS, SHEETS] = [`${COLLECTOR}.stamp-nft`, `${COLLECTOR}.sheet-sft`];
const [PENDING, SILENT] = [`${PRESSER}.pending-token`, `${PRESSER}.silent-token`];
interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}
/** The path that a call of a client requests, the status and the file of the response, and the call. */
const CALLS: readonly (readonly [path: string, status: number, file: string, call: () => Promise<Answer>])[] = [
  [FT + PRESS, 200, FT + PRESS, () => getToken(PRESS)],
  [`${FT}${PRESS}?locale=de`, 200, `${LOCALES}de/${FT}${PRESS}`, () => getToken(PRESS, 'de')],
  [`${FT}${PRESS}?locale=fr`, 422, 'errors/422/metadata/v1/ft.json', () => getToken(PRESS, 'fr')],
  [FT + MISSING, 404, 'errors/404/metadata/v1/ft.json', () => getToken(MISSING)],
  [FT + STAMPS, 404, 'errors/404/metadata/v1/ft.json', () => getToken(STAMPS)],
  [FT + PENDING, 422, `errors/422/${FT}${PENDING}`, () => getToken(PENDING)],
  [FT + SILENT, 422, `errors/422/${FT}${SILENT}`, () => getToken(SILENT)],
  [`${FT}nonsense`, 400, 'errors/400/metadata/v1/ft.json', () => getToken('nonsense')],
  ...[['nft', STAMPS, '0'] as const, ['nft', STAMPS, LAST] as const, ['sft', SHEETS, '7'] as const].map(
    ([kind, principal, number]) => {
      const path = `metadata/v1/${kind}/${principal}/${number}`;
      return [path, 200, path, () => getNumbered(kind, principal, number)] as const;
    },
  ),
  [`metadata/v1/nft/${STAMPS}/99`, 404, 'errors/404/metadata/v1/nft.json', () => getNumbered('nft', STAMPS, '99')],
  ['metadata/v1/ft', 200, 'metadata/v1/ft/index.json', () => getList()],
  ['metadata/v1/', 200, 'metadata/v1/index.json', () => getStatus()],
  [CONTRACT + PRESS, 200, CONTRACT + PRESS, () => getContract(PRESS)],
  [CONTRACT + MISSING, 404, 'errors/404/extended/v1/contract.json', () => getContract(MISSING)],
  [CONTRACT + PRESSER, 400, 'errors/400/extended/v1/contract.json', () => getContract(PRESSER)],
];

test.each(CALLS)('the client reads %s with status %i: %s', async (path, status, file, call) => {
  const { data, error, response } = await call();
  expect([requests.at(-1)?.url, response.status]).toEqual([`/${path}`, status]);
  expect(status === 200 ? [data, error] : [error, data]).toEqual([body(file), undefined]);
  // The types of the token client lack status 400.
  if (error !== undefined && status !== 400 && path.startsWith(FT)) tokenErrorType.parse(error);
});

test('every token, contract and list has the types of the clients', () => {
  const variants = namesBelow(LOCALES);
  for (const [paths, type] of [
    [namesBelow(FT).map((name) => FT + name), tokenType],
    [variants.map((name) => LOCALES + name), tokenType],
    [namesBelow(CONTRACT).map((name) => CONTRACT + name), contractType],
    [['metadata/v1/ft/index.json'], listType],
    [['metadata/v1/index.json'], statusType],
  ] as const) {
    expect(paths.length).toBeGreaterThan(type === tokenType || type === contractType ? 2 : 0);
    for (const path of paths) expect([path, type.parse(body(path))]).toEqual([path, body(path)]);
  }
});

// Slices, searches and sort orders are tested in test/serving/list-slices.test.ts.
test('reads pages of the list of tokens, and search results', async () => {
  const read = async (query: ListQuery = {}) => listType.parse((await getList(query)).data);
  const { total, results } = await read();
  const principals = results.map((token) => token.contract_principal);
  for (const name of namesBelow(FT)) {
    const { metadata: _metadata, ...values } = tokenType.parse(body(FT + name));
    expect(results).toContainEqual({ ...values, contract_principal: name });
  }
  expect(await read({ limit: 2, offset: 1 })).toEqual({ limit: 2, offset: 1, total, results: results.slice(1, 3) });
  const found = async (query: ListQuery) =>
    (await read(query)).results.map(({ contract_principal }) => contract_principal);
  expect(await found({ symbol: 'press' })).toEqual([PRESS]);
  expect(await found({ name: 'PRESS', address: PRESSER })).toEqual([PRESS]);
  expect((await getList({ address: 'nonsense' })).response.status).toBe(400);
  expect(await found({ order_by: 'name', order: 'desc' })).toEqual(principals.toReversed());
  const withMetadata = principals.filter((name) => tokenType.parse(body(FT + name)).metadata !== undefined);
  expect(await found({ valid_metadata_only: true })).toEqual(withMetadata);
});

const abiOf = (contractName: string, contractAddress = PRESSER) =>
  fetchAbi({ contractAddress, contractName, client: { baseUrl: base } });

test('@stacks/transactions reads an interface', async () => {
  expect(await abiOf('press-token')).toEqual(sampleDeploys().get('press-token')?.interface);
  const { method, url, headers } = requests.at(-1) ?? { headers: {} };
  expect([method, url]).toEqual(['GET', `/v2/contracts/interface/${PRESSER}/press-token`]);
  // Because of this header, browsers send a preflight request, which conformance.test.ts checks.
  const customHeaders = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
  expect(customHeaders).toEqual([['x-hiro-product', 'stacksjs']]);
});

test('@stacks/transactions parses every type of every interface', async () => {
  let types = 0;
  for (const id of namesBelow(CONTRACT).filter((name) => !/\.(orphan|unconfirmed)$/.test(name))) {
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

const AMOUNT = Cl.uint(5);
const SENDER = Cl.principal(getAddressFromPublicKey(PUBLIC_KEY, 'testnet'));
const RECIPIENT = Cl.principal(PRESS);
test.each<[string, ClarityValue[], string | undefined]>([
  ['transfer', [AMOUNT, SENDER, RECIPIENT, Cl.none()], undefined],
  ['transfer', [Cl.int(5), SENDER, RECIPIENT, Cl.none()], 'expects argument 1 to be of type uint, not int'],
  ['transfer', [AMOUNT, SENDER, RECIPIENT], 'expects 4 argument(s) but received 3'],
  ['steal', [AMOUNT], "ABI doesn't contain a function with the name steal"],
])('@stacks/transactions checks a call of %s with the interface', async (functionName, functionArgs, message) => {
  const call = makeUnsignedContractCall({
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
  if (message !== undefined) await expect(call).rejects.toThrow(message);
  else expect((await call).payload).toMatchObject({ functionName: { content: functionName } });
});

test('rejects the requests that require a node by their method', async () => {
  const { error } = body<{ error: string }>('errors/405.json');
  const request = { contractAddress: PRESSER, contractName: 'press-token', client: { baseUrl: base } };
  for (const refused of [
    fetchCallReadOnlyFunction({ ...request, functionName: 'get-name', functionArgs: [], senderAddress: PRESSER }),
    fetchContractMapEntry({ ...request, mapName: 'a-map', mapKey: Cl.uint(1) }),
  ])
    await expect(refused).rejects.toThrow(new RegExp(`Response 405: Method Not Allowed[^]*${RegExp.escape(error)}`));
});
