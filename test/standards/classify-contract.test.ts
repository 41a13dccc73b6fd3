import { expect, test } from 'vitest';
import {
  type ClarityType,
  type ContractInterface,
  type InterfaceFunction,
  parseInterface,
} from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';
import { classifyContract } from '#standards/classify-contract.ts';
import { classifySource } from '#standards/source-interface.ts';
import { COLLECTION_INTERFACE, SFT_INTERFACE, TOKEN_INTERFACE } from '../support/interfaces.ts';
import { openSimnet } from '../support/simnet.ts';

const SIP_009 = COLLECTION_INTERFACE as ContractInterface;
const SIP_010 = TOKEN_INTERFACE as ContractInterface;
const SIP_013 = SFT_INTERFACE as ContractInterface;

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
])('recognizes the trait definition of %s', (standard, contractInterface) => {
  expect(classifyContract(contractInterface)).toBe(standard);
});

test('requires a native asset, except in SIP-013', () => {
  expect(classifyContract({ ...SIP_013, ...NO_TOKENS })).toBe('sip-013');
  expect(classifyContract({ ...SIP_009, ...NO_TOKENS, fungible_tokens: FT })).toBeUndefined();
  expect(classifyContract({ ...SIP_010, ...NO_TOKENS, non_fungible_tokens: NFT })).toBeUndefined();
});

test('ignores additional functions and tokens', () => {
  for (const [standard, token] of [
    ['sip-009', SIP_009],
    ['sip-010', SIP_010],
  ] as const) {
    const functions = [withArgs('mint', ['uint128']), ...token.functions, withArgs('burn', [])];
    expect(classifyContract({ ...token, ...TOKENS, functions })).toBe(standard);
  }
});

test('ignores access, outputs and the order of functions', () => {
  expect(classifyContract(changed(SIP_010, 'get-name', { access: 'public' }))).toBe('sip-010');
  expect(classifyContract(changed(SIP_010, 'get-name', { outputs: { type: 'none' } }))).toBe('sip-010');
  expect(classifyContract({ ...SIP_010, functions: SIP_010.functions.toReversed() })).toBe('sip-010');
});

const ALL = Object.entries({ 'sip-009': SIP_009, 'sip-010': SIP_010, 'sip-013': SIP_013 });
test.each(
  ALL.flatMap(([standard, token]) => token.functions.map(({ name, args }) => [standard, name, token, args] as const)),
)('requires of %s the function %s with its arguments', (_, name, token, args) => {
  expect(classifyContract(changed(token, name, { name: 'renamed' }))).toBeUndefined();
  expect(classifyContract(changed(token, name, { args: [...args, { name: 'more', type: 'bool' }] }))).toBeUndefined();
  for (const [index, arg] of args.entries()) {
    const wrongArgs = args.with(index, { ...arg, type: 'int128' });
    expect(classifyContract(changed(token, name, { args: wrongArgs }))).toBeUndefined();
    expect(classifyContract(changed(token, name, { args: args.slice(1) }))).toBeUndefined();
  }
});

test('admits the argument types that the VM admits for impl-trait', async () => {
  const simnet = await openSimnet('3.0');
  const deployer = 'ST000000000000000000002AMW42H';
  const deploy = (name: string, source: string) =>
    simnet.deployContract(name, source, { clarityVersion: 2 }, deployer).result;
  const traitOf = (signatures: readonly string[]) =>
    `(define-trait trait (${signatures.map((signature) => `(${signature} (response bool uint))`).join(' ')}))`;
  const tokenOf = (trait: string, definition: string, functions: readonly string[]) =>
    `(impl-trait .${trait}.trait) ${definition}
    ${functions.map((signature) => `(define-read-only (${signature}) (if true (ok true) (err u0)))`).join(' ')}`;
  const sip010 = ['get-name', 'get-symbol', 'get-decimals', 'get-total-supply', 'get-token-uri'];
  deploy(
    'sip-010',
    traitOf([
      'transfer (uint principal principal (optional (buff 34)))',
      'get-balance (principal)',
      ...sip010.map((name) => `${name} ()`),
    ]),
  );
  const sip013 = [
    ['get-balance', 'uint', 'principal'],
    ['get-overall-balance', 'principal'],
    ['get-total-supply', 'uint'],
    ['get-overall-supply'],
    ['get-decimals', 'uint'],
    ['get-token-uri', 'uint'],
    ['transfer', 'uint', 'uint', 'principal', 'principal'],
  ] as const;
  const sip013Of = (memo: string) => [...sip013, ['transfer-memo', 'uint', 'uint', 'principal', 'principal', memo]];
  deploy('sip-013', traitOf(sip013Of('(buff 34)').map(([name, ...types]) => `${name} (${types.join(' ')})`)));
  const memos = ['(buff 34)', '(buff 33)', '(buff 35)', '(buff 2048)', '(string-ascii 34)', 'principal'];
  const types = memos.flatMap((memo) => [memo, `(optional ${memo})`, `(optional (optional ${memo}))`]);
  const found = types.flatMap((type, index) => {
    const signature = ([name, ...args]: readonly string[]) =>
      `${name} ${args.map((arg, at) => `(a${at} ${arg})`).join(' ')}`;
    const sources = {
      'sip-010': tokenOf('sip-010', '(define-fungible-token coin)', [
        signature(['transfer', 'uint', 'principal', 'principal', type]),
        signature(['get-balance', 'principal']),
        ...sip010,
      ]),
      'sip-013': tokenOf('sip-013', '', sip013Of(type).map(signature)),
    };
    return Object.entries(sources).map(([standard, source]) => {
      const name = `${standard}-${index}`;
      const isAccepted = simnetAccepts(() => deploy(name, source));
      const plain = source.replace(/^\(impl-trait [^)]*\)/, '');
      deploy(`${name}-plain`, plain);
      const parsed = parseInterface(simnet.getContractsInterfaces().get(`${deployer}.${name}-plain`));
      if (isFailure(parsed)) throw new Error(parsed.message);
      expect([type, classifyContract(parsed.interface)]).toEqual([type, isAccepted ? standard : undefined]);
      expect(classifySource(plain)).toBe(classifyContract(parsed.interface));
      return isAccepted ? [standard, type] : [];
    });
  });
  expect(found.filter((pair) => pair.length > 0)).toEqual([
    ['sip-013', '(buff 34)'],
    ['sip-010', '(optional (buff 34))'],
    ['sip-013', '(buff 35)'],
    ['sip-010', '(optional (buff 35))'],
    ['sip-013', '(buff 2048)'],
    ['sip-010', '(optional (buff 2048))'],
  ]);
});

/** True if the VM deploys a contract. */
function simnetAccepts(deploy: () => unknown): boolean {
  try {
    deploy();
    return true;
  } catch {
    return false;
  }
}
