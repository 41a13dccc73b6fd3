// Tests the official clients of the API and of a node with the served sample. Checks their requests, their results and
// their types.
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
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PRESSER, sampleDeploys } from '../../support/sample.ts';
import { servedSample } from '../../support/served-sample.ts';

const { base, requests, body, namesBelow } = await servedSample();
const api = createApiClient({ baseUrl: base });

const CONTRACT = 'extended/v1/contract/';
const PRESS = `${PRESSER}.press-token`;
const MISSING = 'SP000000000000000000002Q6VF78.nothing';
/** A public key that the client requires. Any key works, since no transaction is signed or sent. */
const PUBLIC_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

type Contract = OperationResponse['get_contract_by_id'];

const getContract = (contract_id: string) =>
  api.GET('/extended/v1/contract/{contract_id}', { params: { path: { contract_id } } });

const contractType: z.ZodType<Contract> = z.strictObject({
  tx_id: z.string(),
  canonical: z.boolean(),
  contract_id: z.string(),
  block_height: z.number(),
  clarity_version: z.number().nullable(),
  source_code: z.string(),
  abi: z.string().nullable(),
});

describe('@stacks/blockchain-api-client', () => {
  test('default', async () => {
    const { data, error, response } = await getContract(PRESS);
    expect([response.status, error]).toEqual([200, undefined]);
    const abi = JSON.parse(data?.abi ?? '') as ClarityAbi;
    expect(abi).toEqual(sampleDeploys().get('press-token')?.interface);
    expect(abi.functions.map(abiFunctionToString)).toContain('(define-read-only (get-name ))');
  });

  test('matches the type for every contract', async () => {
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
  ])('%s', async (_what, status, id) => {
    const { data, error, response } = await getContract(id);
    expect([data, response.status]).toEqual([undefined, status]);
    // The type check fails if the client's type of `error` is not `{ error: string; message?: string }`.
    const words: (string | undefined)[] = [error?.error, error?.message];
    const { error: title, message } = body<Record<string, string>>(`errors/${status}/extended/v1/contract.json`);
    expect(words).toEqual([title, message]);
  });
});

describe('@stacks/transactions', () => {
  const abiOf = (contractName: string, contractAddress = PRESSER) =>
    fetchAbi({ contractAddress, contractName, client: { baseUrl: base } });

  test('default', async () => {
    expect(await abiOf('press-token')).toEqual(sampleDeploys().get('press-token')?.interface);
    const { method, url, headers } = requests.at(-1) ?? { headers: {} };
    expect([method, url]).toEqual(['GET', `/v2/contracts/interface/${PRESSER}/press-token`]);
    // Because of this header, browsers send a preflight request, which test/conformance checks.
    const customHeaders = Object.entries(headers).filter(([name]) => name.startsWith('x-'));
    expect(customHeaders).toEqual([['x-hiro-product', 'stacksjs']]);
  });

  test('parses every type of every interface', async () => {
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

    test.each<[string, ClarityValue[], string]>([
      ['transfer', [Cl.int(5), sender, recipient, Cl.none()], 'expects argument 1 to be of type uint, not int'],
      ['transfer', [amount, sender, recipient], 'expects 4 argument(s) but received 3'],
      ['steal', [amount], "ABI doesn't contain a function with the name steal"],
    ])('%s', async (functionName, args, message) => {
      await expect(call(functionName, ...args)).rejects.toThrow(message);
    });
  });

  test('rejects the requests that require a node by their method', async () => {
    const { error } = body<{ error: string }>('errors/405.json');
    const request = { contractAddress: PRESSER, contractName: 'press-token', client: { baseUrl: base } };
    const calls = [
      () =>
        fetchCallReadOnlyFunction({ ...request, functionName: 'get-name', functionArgs: [], senderAddress: PRESSER }),
      () => fetchContractMapEntry({ ...request, mapName: 'a-map', mapKey: Cl.uint(1) }),
    ];
    for (const refused of calls) {
      await expect(refused()).rejects.toThrow('Response 405: Method Not Allowed');
      await expect(refused()).rejects.toThrow(error);
    }
  });
});
