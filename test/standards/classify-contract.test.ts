import { expect, test } from 'vitest';
import type { ClarityType, ContractInterface, InterfaceFunction } from '#model/contract-interface.ts';
import { classifyContract } from '#standards/classify-contract.ts';

const MEMO = { buffer: { length: 34 } };

const SIP_009: Record<string, ClarityType[]> = {
  'get-last-token-id': [],
  'get-token-uri': ['uint128'],
  'get-owner': ['uint128'],
  transfer: ['uint128', 'principal', 'principal'],
};
const SIP_010: Record<string, ClarityType[]> = {
  transfer: ['uint128', 'principal', 'principal', { optional: MEMO }],
  'get-name': [],
  'get-symbol': [],
  'get-decimals': [],
  'get-balance': ['principal'],
  'get-total-supply': [],
  'get-token-uri': [],
};
const SIP_013: Record<string, ClarityType[]> = {
  'get-balance': ['uint128', 'principal'],
  'get-overall-balance': ['principal'],
  'get-total-supply': ['uint128'],
  'get-overall-supply': [],
  'get-decimals': ['uint128'],
  'get-token-uri': ['uint128'],
  transfer: ['uint128', 'uint128', 'principal', 'principal'],
  'transfer-memo': ['uint128', 'uint128', 'principal', 'principal', MEMO],
};

const FT = { fungible_tokens: [{ name: 'ft' }] };
const NFT = { non_fungible_tokens: [{ name: 'nft', type: 'uint128' }] };

function contract(functions: Record<string, ClarityType[]>, more: Partial<ContractInterface> = {}): ContractInterface {
  return {
    functions: Object.entries(functions).map(([name, types]) => ({
      name,
      access: 'read_only',
      args: types.map((type, index) => ({ name: `any-${index}`, type })),
      outputs: { type: 'none' },
    })),
    variables: [],
    maps: [],
    fungible_tokens: [],
    non_fungible_tokens: [],
    ...more,
  };
}

/** The contract with one function changed. */
function changed(original: ContractInterface, name: string, change: Partial<InterfaceFunction>): ContractInterface {
  return {
    ...original,
    functions: original.functions.map((entry) => (entry.name === name ? { ...entry, ...change } : entry)),
  };
}

test.each([
  ['sip-009', contract(SIP_009, NFT)],
  ['sip-010', contract(SIP_010, FT)],
  ['sip-013', contract(SIP_013, { ...FT, ...NFT })],
])('default: %s', (standard, contractInterface) => {
  expect(classifyContract(contractInterface)).toBe(standard);
});

test('behavior: SIP-013 needs no token defined, the others one of their kind', () => {
  expect(classifyContract(contract(SIP_013))).toBe('sip-013');
  expect(classifyContract(contract(SIP_009, FT))).toBeUndefined();
  expect(classifyContract(contract(SIP_010, NFT))).toBeUndefined();
});

test('behavior: more functions and tokens do not matter', () => {
  const more = { ...FT, ...NFT };
  expect(classifyContract(contract({ mint: ['uint128'], ...SIP_010, burn: [] }, more))).toBe('sip-010');
  expect(classifyContract(contract({ mint: ['uint128'], ...SIP_009, burn: [] }, more))).toBe('sip-009');
});

test('behavior: access, outputs and the order of functions do not matter', () => {
  const token = contract(SIP_010, FT);
  expect(classifyContract(changed(token, 'get-name', { access: 'public' }))).toBe('sip-010');
  expect(classifyContract(changed(token, 'get-name', { outputs: { type: 'bool' } }))).toBe('sip-010');
  expect(classifyContract({ ...token, functions: token.functions.toReversed() })).toBe('sip-010');
});

test.each([
  ...Object.keys(SIP_009).map((name) => ['sip-009', name, contract(SIP_009, NFT)] as const),
  ...Object.keys(SIP_010).map((name) => ['sip-010', name, contract(SIP_010, FT)] as const),
  ...Object.keys(SIP_013).map((name) => ['sip-013', name, contract(SIP_013)] as const),
])('behavior: %s needs %s with exactly its arguments', (_, name, token) => {
  const args = token.functions.find((entry) => entry.name === name)?.args ?? [];
  expect(classifyContract(changed(token, name, { name: 'renamed' }))).toBeUndefined();
  expect(classifyContract(changed(token, name, { args: [...args, { name: 'more', type: 'bool' }] }))).toBeUndefined();
  for (const [index, arg] of args.entries()) {
    const others = args.with(index, { ...arg, type: 'int128' });
    expect(classifyContract(changed(token, name, { args: others }))).toBeUndefined();
    expect(classifyContract(changed(token, name, { args: args.slice(1) }))).toBeUndefined();
  }
});

test.each<[string, ClarityType]>([
  ['a longer memo', { optional: { buffer: { length: 35 } } }],
  ['a memo that is not optional', MEMO],
  ['a text for a memo', { optional: { 'string-ascii': { length: 34 } } }],
])('behavior: no SIP-010 token with %s', (_, memo) => {
  const transfer = ['uint128', 'principal', 'principal', memo];
  expect(classifyContract(contract({ ...SIP_010, transfer }, FT))).toBeUndefined();
});
