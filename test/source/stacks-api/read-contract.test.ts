// Tests reading a contract from an API.
import { expect, test } from 'vitest';
import { readContract } from '#source/stacks-api/api-responses.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { clientOf } from '../../support/server-client.ts';
import { hashOf } from '../../support/transactions.ts';
import { ADDRESS, CONTRACT, SOURCE_INVALID, sourceOf, TOKEN } from '../source-of.ts';

/** Returns an API's response about TOKEN. `more` replaces members; a member with the value undefined is removed. */
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
  const { client, requests } = await sourceOf({ ...CONTRACT, blockHeight: 123, clarityVersion: 3 });
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

test('returns undefined for a missing contract', async () => {
  const { client } = await sourceOf();
  expect(await readContract(client, TOKEN)).toBeUndefined();
});

test.each([
  ['an orphaned deploy', { canonical: false }, { canonical: false }],
  ['an upper-case transaction id', { tx_id: `0x${'AB'.repeat(32)}` }, { txId: `0x${'ab'.repeat(32)}` }],
  ['a genesis contract', { block_height: 0 }, { blockHeight: 0 }],
  ['a missing Clarity version', { clarity_version: null }, { clarityVersion: undefined }],
  ['a Clarity version that is a string', { clarity_version: '2' }, { clarityVersion: undefined }],
  ['a missing source', { source_code: null }, { sourceCode: undefined }],
  ['an empty source', { source_code: '' }, { sourceCode: '' }],
  ['a missing contract id', { contract_id: undefined }, { contractId: TOKEN }],
  ['unknown keys', { clarity_costs: {} }, { blockHeight: 7 }],
])('reads a contract with %s', async (_, more, expected) => {
  expect(await read(200, answer(more))).toMatchObject(expected);
});

test.each([
  ['null', null],
  ['the string null', 'null'],
  ['missing', undefined],
])('reads an interface that is %s as missing', async (_, abi) => {
  expect(await read(200, answer({ abi }))).toMatchObject({ interface: undefined, interfaceFailure: undefined });
});

test('reads an interface that is an object', async () => {
  expect(await read(200, answer({ abi: EMPTY_INTERFACE }))).toMatchObject({ interface: EMPTY_INTERFACE });
});

test.each([
  ['not JSON', '{"functions":', 'it is not JSON'],
  ['an empty string', '', 'it is not JSON'],
  ['a number', 7, 'interface must be an object'],
  ['not an interface', '{}', 'functions must be a list'],
  ['of another grammar', JSON.stringify({ ...EMPTY_INTERFACE, functions: [{ name: 1 }] }), 'functions[0].name'],
])('reports interface-invalid for an interface that is %s, without losing the contract', async (_, abi, message) => {
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
  ['without the flag canonical', answer({ canonical: undefined })],
  ['whose flag canonical is a string', answer({ canonical: 'true' })],
  ['without a height', answer({ block_height: null })],
  ['with a negative height', answer({ block_height: -1 })],
  ['with half a height', answer({ block_height: 1.5 })],
  ['with a height that is a string', answer({ block_height: '7' })],
  ['that is empty', {}],
  ['that is null', null],
  ['that is a list', [answer()]],
  ['that is a number', 7],
])('reports source-invalid for a response %s', async (_, body) => {
  expect(await read(200, body)).toMatchObject(SOURCE_INVALID);
});

test.each([
  [400, 'source-invalid'],
  [500, 'http-500'],
  [429, 'http-429'],
])('status %i is %s', async (status, code) => {
  expect(await read(status, { error: 'no' })).toMatchObject({ code, retryable: true });
});
