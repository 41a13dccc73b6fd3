import { describe, expect, test } from 'vitest';
import { clarityVersionOf, parseInterface } from '#model/contract-interface.ts';
import { isFailure } from '#model/failure.ts';

/** An interface with each kind of entry and each type once. Its keys have the order of a node. */
const INTERFACE = {
  functions: [
    {
      name: 'transfer',
      access: 'public',
      args: [
        { name: 'amount', type: 'uint128' },
        { name: 'memo', type: { optional: { buffer: { length: 34 } } } },
        { name: 'to', type: 'principal' },
        { name: 'token', type: 'trait_reference' },
      ],
      outputs: { type: { response: { ok: 'bool', error: 'uint128' } } },
    },
    { name: 'get-name', access: 'read_only', args: [], outputs: { type: { 'string-ascii': { length: 32 } } } },
    { name: 'check', access: 'private', args: [], outputs: { type: 'none' } },
  ],
  variables: [
    { name: 'OWNERS', type: { list: { type: 'principal', length: 3 } }, access: 'constant' },
    { name: 'uri', type: { 'string-utf8': { length: 256 } }, access: 'variable' },
  ],
  maps: [
    {
      name: 'balances',
      key: {
        tuple: [
          { name: 'who', type: 'principal' },
          { name: 'id', type: 'int128' },
        ],
      },
      value: 'uint128',
    },
  ],
  fungible_tokens: [{ name: 'zeta' }, { name: 'alpha' }],
  non_fungible_tokens: [{ name: 'nft', type: 'uint128' }],
  epoch: 'Epoch24',
  clarity_version: 'Clarity2',
};

const EMPTY = { functions: [], variables: [], maps: [], fungible_tokens: [], non_fungible_tokens: [] };

/** Returns the JSON value with the keys of each object in the order that `order` returns. */
function reorder(json: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(json)) return json.map((item) => reorder(item, order));
  if (typeof json !== 'object' || json === null) return json;
  const entries = json as Record<string, unknown>;
  return Object.fromEntries(order(Object.keys(entries)).map((key) => [key, reorder(entries[key], order)]));
}

/** Returns an interface with one function that returns this type. */
const withOutput = (type: unknown) => ({
  ...EMPTY,
  functions: [{ name: 'f', access: 'public', args: [], outputs: { type } }],
});

describe('parseInterface', () => {
  test('default', () => {
    expect(parseInterface(INTERFACE)).toStrictEqual({ interface: INTERFACE, unlistedTypes: [] });
  });

  test.each<[string, (keys: string[]) => string[]]>([
    ['alphabetical order', (keys) => keys.toSorted()],
    ['reversed order', (keys) => keys.toReversed()],
    [
      'order by length, as in Postgres jsonb',
      (keys) => keys.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)),
    ],
  ])("returns keys in the node's order, after %s", (_, order) => {
    const parsed = parseInterface(reorder(INTERFACE, order));
    expect(isFailure(parsed) ? parsed : JSON.stringify(parsed.interface)).toBe(JSON.stringify(INTERFACE));
  });

  test('reads older interfaces without epoch and clarity_version', () => {
    expect(parseInterface(EMPTY)).toStrictEqual({ interface: EMPTY, unlistedTypes: [] });
  });

  test('drops keys that the grammar does not have', () => {
    const parsed = parseInterface({ ...EMPTY, fungible_tokens: [{ name: 'a', supply: 1 }], more: true });
    expect(parsed).toStrictEqual({ interface: { ...EMPTY, fungible_tokens: [{ name: 'a' }] }, unlistedTypes: [] });
  });

  test.each([
    ['a type name', 'uint256', 'uint256'],
    ['a single key', { set: { of: ['uint128', null] } }, 'set'],
    ['a type name inside a known type', { list: { type: { optional: 'uint256' }, length: 2 } }, 'uint256'],
    ['a key like a property of every object', JSON.parse('{"__proto__":{"x":1}}'), '__proto__'],
  ])('keeps and reports an unlisted type, %s', (_, type, unlisted) => {
    const json = withOutput(type);
    const parsed = parseInterface(json);
    expect(parsed).toMatchObject({ unlistedTypes: [unlisted] });
    expect(isFailure(parsed) ? parsed : JSON.stringify(parsed.interface)).toBe(JSON.stringify(json));
  });

  test('reports an unlisted type once', () => {
    const tokens = ['a', 'b'].map((name) => ({ name, type: 'uint256' }));
    expect(parseInterface({ ...EMPTY, non_fungible_tokens: tokens })).toMatchObject({ unlistedTypes: ['uint256'] });
  });

  test.each([
    ['interface must', null],
    ['interface must', 'text'],
    ['interface must', [INTERFACE]],
    ['functions must', {}],
    ['maps must', { ...EMPTY, maps: {} }],
    ['functions[0] must', { ...EMPTY, functions: [null] }],
    ['functions[0].access must', { ...EMPTY, functions: [{ ...INTERFACE.functions[0], access: 'readonly' }] }],
    ['functions[0].args must', { ...EMPTY, functions: [{ ...INTERFACE.functions[0], args: null }] }],
    [
      'functions[0].args[1].name must',
      { ...EMPTY, functions: [{ ...INTERFACE.functions[0], args: [{ name: 'a', type: 'bool' }, {}] }] },
    ],
    ['functions[0].outputs must', { ...EMPTY, functions: [{ name: 'f', access: 'public', args: [] }] }],
    ['variables[0].access must', { ...EMPTY, variables: [{ name: 'v', type: 'bool', access: 'public' }] }],
    ['maps[0].value must', { ...EMPTY, maps: [{ name: 'm', key: 'bool' }] }],
    ['fungible_tokens[0].name must', { ...EMPTY, fungible_tokens: [{ name: 7 }] }],
    ['non_fungible_tokens[0].type must', { ...EMPTY, non_fungible_tokens: [{ name: 'n' }] }],
    ['epoch must', { ...EMPTY, epoch: 24 }],
    ['functions[0].outputs.type must', withOutput({ optional: 'bool', list: 'bool' })],
    ['functions[0].outputs.type must', withOutput({})],
    ['functions[0].outputs.type must', withOutput(['bool'])],
    ['functions[0].outputs.type.buffer.length must', withOutput({ buffer: { length: '34' } })],
    ['functions[0].outputs.type.string-ascii.length must', withOutput({ 'string-ascii': { length: -1 } })],
    ['functions[0].outputs.type.list.length must', withOutput({ list: { type: 'bool', length: 1.5 } })],
    ['functions[0].outputs.type.list.type must', withOutput({ list: { length: 1 } })],
    ['functions[0].outputs.type.response.error must', withOutput({ response: { ok: 'bool' } })],
    ['functions[0].outputs.type.tuple[0].name must', withOutput({ tuple: [{ type: 'bool' }] })],
    ['functions[0].outputs.type.optional.list.type must', withOutput({ optional: { list: { type: 5, length: 1 } } })],
  ])('reports interface-invalid, %s', (message, json) => {
    const parsed = parseInterface(json);
    expect(parsed).toMatchObject({ code: 'interface-invalid' });
    expect(parsed).toHaveProperty('message', expect.stringContaining(`: ${message}`));
  });

  test('reports interface-invalid, types nested 100,000 levels', () => {
    let type: unknown = 'bool';
    for (let depth = 0; depth < 100_000; depth++) type = { optional: type };
    expect(parseInterface(withOutput(type))).toMatchObject({ code: 'interface-invalid' });
  });
});

describe('clarityVersionOf', () => {
  test.each([
    ['Clarity1', 1],
    ['Clarity2', 2],
    ['Clarity12', 12],
    ['Clarity', undefined],
    ['clarity2', undefined],
    ['Clarity2x', undefined],
    ['Clarity-2', undefined],
  ])('%s', (clarity_version, expected) => {
    expect(clarityVersionOf({ ...EMPTY, clarity_version })).toBe(expected);
  });

  test('returns undefined without an interface or a version', () => {
    expect(clarityVersionOf(undefined)).toBeUndefined();
    expect(clarityVersionOf(EMPTY)).toBeUndefined();
  });
});
