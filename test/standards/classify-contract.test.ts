import { expect, test } from 'vitest';
import type { ClarityType, ContractInterface, InterfaceFunction } from '#model/contract-interface.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { COLLECTION_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';

const SIP_009 = COLLECTION_INTERFACE as ContractInterface;
const SIP_010 = TOKEN_INTERFACE as ContractInterface;
const SIP_013 = SFT_INTERFACE as ContractInterface;
const MEMO = { buffer: { length: 34 } };

const NO_TOKENS = { fungible_tokens: [], non_fungible_tokens: [] };
const [FT, NFT] = [SIP_010.fungible_tokens, SIP_009.non_fungible_tokens];
const TOKENS = { fungible_tokens: FT, non_fungible_tokens: NFT };

const withArgs = (name: string, types: readonly ClarityType[]): InterfaceFunction => ({
  name,
  access: 'read_only',
  args: types.map((type, index) => ({ name: `any-${index}`, type })),
  outputs: { type: 'none' },
});

/** Returns the interface with a change of the function that has this name. */
function changed(original: ContractInterface, name: string, change: Partial<InterfaceFunction>): ContractInterface {
  return {
    ...original,
    functions: original.functions.map((entry) => (entry.name === name ? { ...entry, ...change } : entry)),
  };
}

test.each([
  ['sip-009', SIP_009],
  ['sip-010', SIP_010],
  ['sip-013', { ...SIP_013, ...TOKENS }],
])('default: recognizes the trait definition of %s', (standard, contractInterface) => {
  expect(classifyContract(contractInterface)).toBe(standard);
});

test('behavior: SIP-009 and SIP-010, Use of native asset functions: requires a native asset, except in SIP-013', () => {
  expect(classifyContract({ ...SIP_013, ...NO_TOKENS })).toBe('sip-013');
  expect(classifyContract({ ...SIP_009, ...NO_TOKENS, fungible_tokens: FT })).toBeUndefined();
  expect(classifyContract({ ...SIP_010, ...NO_TOKENS, non_fungible_tokens: NFT })).toBeUndefined();
});

test('behavior: ignores additional functions and tokens', () => {
  for (const [standard, token] of [
    ['sip-009', SIP_009],
    ['sip-010', SIP_010],
  ] as const) {
    const functions = [withArgs('mint', ['uint128']), ...token.functions, withArgs('burn', [])];
    expect(classifyContract({ ...token, ...TOKENS, functions })).toBe(standard);
  }
});

test('behavior: ignores access, outputs and the order of functions', () => {
  expect(classifyContract(changed(SIP_010, 'get-name', { access: 'public' }))).toBe('sip-010');
  expect(classifyContract(changed(SIP_010, 'get-name', { outputs: { type: 'none' } }))).toBe('sip-010');
  expect(classifyContract({ ...SIP_010, functions: SIP_010.functions.toReversed() })).toBe('sip-010');
});

const ALL = Object.entries({ 'sip-009': SIP_009, 'sip-010': SIP_010, 'sip-013': SIP_013 });
test.each(
  ALL.flatMap(([standard, token]) => token.functions.map(({ name, args }) => [standard, name, token, args] as const)),
)('behavior: trait definition of %s: requires %s with exactly its arguments', (_, name, token, args) => {
  expect(classifyContract(changed(token, name, { name: 'renamed' }))).toBeUndefined();
  expect(classifyContract(changed(token, name, { args: [...args, { name: 'more', type: 'bool' }] }))).toBeUndefined();
  for (const [index, arg] of args.entries()) {
    const wrongArgs = args.with(index, { ...arg, type: 'int128' });
    expect(classifyContract(changed(token, name, { args: wrongArgs }))).toBeUndefined();
    expect(classifyContract(changed(token, name, { args: args.slice(1) }))).toBeUndefined();
  }
});

test.each<[string, ClarityType]>([
  ['a longer memo', { optional: { buffer: { length: 35 } } }],
  ['a memo that is not optional', MEMO],
  ['a memo that is a string', { optional: { 'string-ascii': { length: 34 } } }],
])('behavior: SIP-010, Transfer: rejects %s', (_, memo) => {
  const { args } = withArgs('transfer', ['uint128', 'principal', 'principal', memo]);
  expect(classifyContract(changed(SIP_010, 'transfer', { args }))).toBeUndefined();
});
