import { describe, expect, test } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { listTokens, readContract, type TokenPage } from '#source/stacks-api/api-answers.ts';
import { chainListener, chainOf, type LiveContract } from '../support/chain-listener.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { clientOf, DEEP, jsonClient } from '../support/json-client.ts';
import { loopbackServer } from '../support/loopback-server.ts';
import { hashOf } from '../support/observer-lines.ts';

const ADDRESS = 'SP000000000000000000002Q6VF78';
const TOKEN = `${ADDRESS}.token`;
const CONTRACT: LiveContract = { contractId: TOKEN, sourceCode: '(define-map a int int)', abi: TOKEN_INTERFACE };

/** A client of an API that knows these contracts, with what it was asked. */
async function apiOf(...contracts: LiveContract[]) {
  const server = await loopbackServer(chainListener(chainOf(contracts)));
  return { client: jsonClient(server.url), requests: server.requests };
}

describe('readContract', () => {
  /** What an API answers about TOKEN, some of it replaced; undefined takes a key away. */
  const answer = (more: Record<string, unknown> = {}) => ({
    tx_id: hashOf('deploy'),
    canonical: true,
    contract_id: TOKEN,
    block_height: 7,
    clarity_version: 2,
    source_code: '(ok 1)',
    abi: JSON.stringify(TOKEN_INTERFACE),
    ...more,
  });
  const read = async (status: number, body: unknown) => readContract((await clientOf(status, body)).client, TOKEN);

  test('default', async () => {
    const { client, requests } = await apiOf({ ...CONTRACT, blockHeight: 123, clarityVersion: 3 });
    expect(await readContract(client, TOKEN)).toStrictEqual({
      contractId: TOKEN,
      txId: hashOf(TOKEN),
      canonical: true,
      blockHeight: 123,
      clarityVersion: 3,
      sourceCode: CONTRACT.sourceCode,
      interface: TOKEN_INTERFACE,
      interfaceFailure: undefined,
    });
    expect(requests).toEqual([`/extended/v1/contract/${TOKEN}`]);
  });

  test('default: undefined for a contract that there is not', async () => {
    const { client } = await apiOf();
    expect(await readContract(client, TOKEN)).toBeUndefined();
  });

  test.each([
    ['a deploy that was orphaned', { canonical: false }, { canonical: false }],
    ['an upper-case transaction id', { tx_id: `0x${'AB'.repeat(32)}` }, { txId: `0x${'ab'.repeat(32)}` }],
    ['a genesis contract', { block_height: 0 }, { blockHeight: 0 }],
    ['no Clarity version', { clarity_version: null }, { clarityVersion: undefined }],
    ['a Clarity version that is a text', { clarity_version: '2' }, { clarityVersion: undefined }],
    ['no source', { source_code: null }, { sourceCode: undefined }],
    ['an empty source', { source_code: '' }, { sourceCode: '' }],
    ['no contract id', { contract_id: undefined }, { contractId: TOKEN }],
    ['keys that are not known', { clarity_costs: {} }, { blockHeight: 7 }],
  ])('behavior: %s', async (_, more, expected) => {
    expect(await read(200, answer(more))).toMatchObject(expected);
  });

  test.each([
    ['null', null],
    ['a text that is null', 'null'],
    ['left out', undefined],
  ])('behavior: an interface that is %s is none, and no failure', async (_, abi) => {
    expect(await read(200, answer({ abi }))).toMatchObject({ interface: undefined, interfaceFailure: undefined });
  });

  test('behavior: an interface that comes as JSON, not as text of it', async () => {
    expect(await read(200, answer({ abi: EMPTY_INTERFACE }))).toMatchObject({ interface: EMPTY_INTERFACE });
  });

  test.each([
    ['no JSON', '{"functions":', 'it is not JSON'],
    ['an empty text', '', 'it is not JSON'],
    ['a number', 7, 'interface must be an object'],
    ['no interface', '{}', 'functions must be a list'],
    ['of another grammar', JSON.stringify({ ...EMPTY_INTERFACE, functions: [{ name: 1 }] }), 'functions[0].name'],
  ])('error: interface-invalid for one that is %s; the rest is kept', async (_, abi, message) => {
    expect(await read(200, answer({ abi }))).toMatchObject({
      txId: hashOf('deploy'),
      sourceCode: '(ok 1)',
      interface: undefined,
      interfaceFailure: { code: 'interface-invalid', message: expect.stringContaining(message) },
    });
  });

  test.each([
    ['about another contract', answer({ contract_id: `${ADDRESS}.other` })],
    ['without a transaction id', answer({ tx_id: undefined })],
    ['with a transaction id that is short', answer({ tx_id: '0xab' })],
    ['with a transaction id without 0x', answer({ tx_id: 'ab'.repeat(33) })],
    ['that does not say whether it is canonical', answer({ canonical: undefined })],
    ['that says it with a text', answer({ canonical: 'true' })],
    ['without a height', answer({ block_height: null })],
    ['with a negative height', answer({ block_height: -1 })],
    ['with half a height', answer({ block_height: 1.5 })],
    ['with a height that is a text', answer({ block_height: '7' })],
    ['that is empty', {}],
    ['that is null', null],
    ['that is a list', [answer()]],
    ['that is a number', 7],
  ])('error: source-invalid for an answer %s', async (_, body) => {
    expect(await read(200, body)).toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining(TOKEN),
      retryable: true,
    });
  });

  test.each([
    [400, 'source-invalid'],
    [500, 'http-500'],
    [429, 'http-429'],
  ])('error: status %i is %s', async (status, code) => {
    expect(await read(status, { error: 'no' })).toMatchObject({ code, retryable: true });
  });
});

describe('listTokens', () => {
  /** The answers for a token of a list. */
  const answersFor = async (item: Record<string, unknown>) => {
    const { client } = await clientOf(200, { results: [{ contract_principal: TOKEN, ...item }], total: 1, limit: 60 });
    return ((await listTokens(client, 0)) as TokenPage).tokens[0]?.answers;
  };
  const page = async (offset: number, body: unknown) => listTokens((await clientOf(200, body)).client, offset);
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ contract_principal: `${ADDRESS}.t${index}` }));

  test('default', async () => {
    const listed = { name: 'Coin', symbol: 'C', decimals: 6, total_supply: '1000', token_uri: 'https://example.org' };
    const { client, requests } = await apiOf({ ...CONTRACT, listed });
    expect(await listTokens(client, 0)).toStrictEqual({
      tokens: [
        {
          contractId: TOKEN,
          answers: [
            { getter: 'get-name', value: 'Coin' },
            { getter: 'get-symbol', value: 'C' },
            { getter: 'get-decimals', value: '6' },
            { getter: 'get-total-supply', value: '1000' },
            { getter: 'get-token-uri', value: 'https://example.org' },
          ],
        },
      ],
      unreadable: [],
      next: [],
    });
    expect(requests).toEqual(['/metadata/v1/ft?limit=60&offset=0']);
  });

  test('behavior: all pages together are the list', async () => {
    const contracts = items(130).map(({ contract_principal: contractId }) => ({ ...CONTRACT, contractId, listed: {} }));
    const { client, requests } = await apiOf(...contracts);
    const first = (await listTokens(client, 0)) as TokenPage;
    expect(first.next).toEqual([60, 120]);
    const rest = (await Promise.all(first.next.map((offset) => listTokens(client, offset)))) as TokenPage[];
    expect(rest.flatMap(({ next }) => next)).toEqual([]);
    expect([first, ...rest].flatMap(({ tokens }) => tokens.map(({ contractId }) => contractId))).toEqual(
      contracts.map(({ contractId }) => contractId),
    );
    expect(requests.at(-1)).toBe('/metadata/v1/ft?limit=60&offset=120');
  });

  // What the API shows for null, and what no token can have.
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
  ])('behavior: unread is %j', async (item) => {
    expect(await answersFor(item)).toEqual([]);
  });

  test.each([
    ['get-decimals', { decimals: '8' }, '8'],
    ['get-total-supply', { total_supply: 21_000_000 }, '21000000'],
    ['get-total-supply', { total_supply: `${2n ** 128n - 1n}` }, `${2n ** 128n - 1n}`],
    ['get-name', { name: '0' }, '0'],
    ['get-symbol', { symbol: ' ' }, ' '],
  ])('behavior: %s reads %j', async (getter, item, value) => {
    expect(await answersFor(item)).toEqual([{ getter, value }]);
  });

  test('behavior: the contract is named by its asset where it is not named itself', async () => {
    const results = [{ asset_identifier: `${TOKEN}::coin` }, { contract_principal: '', asset_identifier: TOKEN }];
    expect(await page(0, { results, total: 2, limit: 60 })).toMatchObject({
      tokens: [{ contractId: TOKEN }, { contractId: TOKEN }],
      unreadable: [],
    });
  });

  test('behavior: an item that names no contract costs itself', async () => {
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
      tokens: [{ contractId: TOKEN, answers: [] }],
      unreadable: [60, 61, 62, 63, 64, 65, 66, 67, 68, 69],
    });
  });

  test.each([
    ['by the limit of the API', 0, { total: 50, limit: 20 }, 20, [20, 40]],
    ['by as many as were asked for', 0, { total: 181 }, 60, [60, 120, 180]],
    ['not beyond what was asked for', 0, { total: 100, limit: 200 }, 60, [60]],
    ['none behind the last', 0, { total: 60, limit: 60 }, 60, []],
    ['the first tells of all', 60, { total: 1_000, limit: 60 }, 60, []],
    ['without a total, one after the other', 0, {}, 60, [60]],
    ['without a total, the next', 120, { limit: 20 }, 20, [140]],
    ['without a total, until one is not full', 120, {}, 59, []],
    ['a total of 0, but a full page', 60, { total: 0 }, 60, [120]],
    ['a total that is a text', 0, { total: '1000' }, 60, [60]],
    ['a total that cannot be', 0, { total: 1e15 }, 60, [60]],
    ['a limit that is none', 0, { total: 70, limit: 0 }, 60, [60]],
  ])('behavior: offsets, %s', async (_, offset, more, count, next) => {
    expect(await page(offset, { results: items(count), ...more })).toMatchObject({ next });
  });

  test.each([
    ['without results', 200, { total: 1 }],
    ['whose results are no list', 200, { results: {} }],
    ['that is null', 200, null],
    ['that is a list', 200, []],
    ['with status 404', 404, { error: 'Not found' }],
    ['with status 400', 400, { results: [] }],
  ])('error: source-invalid for an answer %s', async (_, status, body) => {
    const { client } = await clientOf(status, body);
    expect(await listTokens(client, 0)).toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining(`/metadata/v1/ft (status ${status})`),
    });
  });

  test('error: source-invalid for more than a page can be', async () => {
    expect(await page(0, 'x'.repeat(3_000_001))).toMatchObject({ code: 'source-invalid' });
    expect(await page(0, `[${'{},'.repeat(100_000)}{}]`)).toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining('100000 values'),
    });
  });

  test('error: http-500', async () => {
    const { client } = await clientOf(500, 'broken');
    expect(isFailure(await listTokens(client, 0))).toBe(true);
  });
});
