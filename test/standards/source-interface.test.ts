import { describe, expect, test } from 'vitest';
import type { ContractInterface } from '#model/contract-interface.ts';
import { classifySource, hasDefinitions } from '#standards/source-interface.ts';
import { tokenSource } from '../support/token-source.ts';

const SOURCE = `
;; (define-public (commented-out) (ok true))
(use-trait ft .traits.ft) (impl-trait .traits.ft) (define-trait t ((f (uint) (response bool uint))))
(define-constant text "(define-public (in-a-string) (ok true))")
(define-data-var supply uint (begin (define-it) u0))
(define-data-var pair { b: (buff 20), a: (optional (string-ascii 5)) } { b: 0x, a: none })
(define-map balances principal uint)
(define-map old ((id int)) ((owner (tuple (z bool) (y (list 3 (string-utf8 9)))))))
(define-fungible-token coin u100)
(define-non-fungible-token thing { id: uint })
(define-private (helper (n uint)) (response-of n))
(define-public (pay (token <ft>) (to (response principal uint))) (ok (helper u1)))
(define-read-only (get-supply) (ok (var-get supply)))
(print (get-supply))`;
const tuple = (...members: readonly (readonly [string, unknown])[]) => ({
  tuple: members.map(([name, type]) => ({ name, type })),
});
const INTERFACE = {
  functions: [
    { name: 'helper', access: 'private', args: [{ name: 'n', type: 'uint128' }], outputs: { type: 'bool' } },
    {
      name: 'pay',
      access: 'public',
      args: [
        { name: 'token', type: 'trait_reference' },
        { name: 'to', type: { response: { ok: 'principal', error: 'uint128' } } },
      ],
      outputs: { type: 'none' },
    },
    { name: 'get-supply', access: 'read_only', args: [], outputs: { type: 'none' } },
  ],
  variables: [
    { name: 'text', type: { 'string-ascii': { length: 39 } }, access: 'constant' },
    {
      name: 'pair',
      type: tuple(['a', { optional: { 'string-ascii': { length: 5 } } }], ['b', { buffer: { length: 20 } }]),
      access: 'variable',
    },
    { name: 'supply', type: 'uint128', access: 'variable' },
  ],
  maps: [
    { name: 'balances', key: 'principal', value: 'uint128' },
    {
      name: 'old',
      key: tuple(['id', 'int128']),
      value: tuple([
        'owner',
        tuple(['y', { list: { type: { 'string-utf8': { length: 9 } }, length: 3 } }], ['z', 'bool']),
      ]),
    },
  ],
  fungible_tokens: [{ name: 'coin' }],
  non_fungible_tokens: [{ name: 'thing', type: tuple(['id', 'uint128']) }],
} as unknown as ContractInterface;

/** Returns the interface after a change of its text. */
const changed = (from: string, to: string) => {
  const text = JSON.stringify(INTERFACE);
  expect(text).toContain(from);
  return JSON.parse(text.replace(from, to)) as ContractInterface;
};

describe('hasDefinitions', () => {
  test('finds each kind of definition, with its literal types', () => {
    expect(hasDefinitions(INTERFACE, SOURCE)).toBe(true);
  });

  test('ignores results and types of constants, which are not literals', () => {
    expect(hasDefinitions(changed('"outputs":{"type":"none"}', '"outputs":{"type":"bool"}'), SOURCE)).toBe(true);
    expect(hasDefinitions(changed('"length":39', '"length":40'), SOURCE)).toBe(true);
  });

  test.each([
    [
      'an additional function',
      '{"name":"get-supply"',
      '{"name":"drain","access":"public","args":[],"outputs":{"type":"none"}},{"name":"get-supply"',
    ],
    [
      'a missing function',
      '{"name":"get-supply","access":"read_only","args":[],"outputs":{"type":"none"}}',
      '{"name":"helper2","access":"read_only","args":[],"outputs":{"type":"none"}}',
    ],
    ['another access', '"access":"private"', '"access":"public"'],
    ['another argument', '"name":"n"', '"name":"m"'],
    ['another type of an argument', '"type":"uint128"', '"type":"int128"'],
    ['a repeated token', '{"name":"coin"}', '{"name":"coin"},{"name":"coin"}'],
    ['a renamed token', '{"name":"coin"}', '{"name":"cash"}'],
    ['another type of an NFT', '"name":"thing","type"', '"name":"thing","typ":0,"type":"uint128","t"'],
    ['a variable as a constant', '"access":"variable"', '"access":"constant"'],
    ['another length', '"length":20', '"length":21'],
    ['another value of a map', '"value":"uint128"', '"value":"bool"'],
  ])('refuses %s', (_, from, to) => {
    expect(hasDefinitions(changed(from, to), SOURCE)).toBe(false);
  });

  test('reads types of any depth', () => {
    const deep = `(define-data-var a ${'(optional '.repeat(200_000)}uint${')'.repeat(200_000)} none)`;
    expect(hasDefinitions(INTERFACE, deep)).toBe(false);
  });
});

test('classifySource recognizes a token by its definitions, and no token without its asset', () => {
  const token = `${tokenSource()}
(define-read-only (get-balance (who principal)) (ok u0))
(define-public (transfer (n uint) (from principal) (to principal) (memo (optional (buff 34)))) (ok true))`;
  expect(classifySource(token)).toBe('sip-010');
  expect(classifySource(token.replace('(define-fungible-token coin)', ''))).toBeUndefined();
  expect(classifySource(token.replace('(who principal)', '(who uint)'))).toBeUndefined();
});
