// Tests the list of fungible tokens: its order, its pages, and values that it omits. test/expected has the list of the
// sample.
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { Cl } from '@stacks/transactions';
import { describe, expect, test } from 'vitest';
import { runBuild } from '#generator/run-build.ts';
import { buildOptions } from '../support/build-options.ts';
import { cannedToken } from '../support/canned-token.ts';
import type { CallResult, LiveContract } from '../support/chain-listener.ts';
import { indexOfServers, parse } from '../support/index-of-servers.ts';
import { TOKEN_INTERFACE } from '../support/interfaces.ts';
import { readTree } from '../support/sample.ts';
import { ADDRESS, blockLine, deployJson, idOf } from '../support/transactions.ts';

interface List {
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

const INDEX = 'metadata/v1/ft/index.json';
const NAMES = 'metadata/v1/ft/names.json';
const MANIFEST = 'metadata/v1/ft/pages/index.json';
const page = (limit: number, offset: number) => `metadata/v1/ft/pages/${limit}/${offset}.json`;
const list = (tree: ReadonlyMap<string, string>, path = INDEX) => parse(tree, path) as List;

/** Returns the paths of all files of the list. */
const listFiles = (tree: ReadonlyMap<string, string>) =>
  [...tree.keys()]
    .filter((path) => /^(?:variants\/[^/]+\/[^/]+\/)?metadata\/v1\/ft\/(?:pages|[a-z.]+$)/.test(path))
    .sort();

/** Makes a token whose getters return these values. A getter whose value is undefined fails. */
const token = (
  name: string,
  values: Readonly<Record<string, Parameters<typeof Cl.ok>[0] | undefined>>,
): LiveContract => {
  const canned = cannedToken(name);
  return {
    ...canned,
    call: (getter): CallResult | Promise<CallResult> => {
      const value = values[getter];
      if (!(getter in values)) return canned.call?.(getter, []) ?? { cause: 'none' };
      return value === undefined ? { cause: 'Unchecked' } : { result: `0x${Cl.serialize(Cl.ok(value))}` };
    },
  };
};
const named = (name: string, tokenName: string | undefined) =>
  token(name, { 'get-name': tokenName === undefined ? undefined : Cl.stringUtf8(tokenName) });

/** Indexes the contracts and builds the index. Returns the files of the build. */
const buildOf = async (contracts: readonly LiveContract[]) => {
  const world = await indexOfServers(contracts);
  await world.run({ contracts: contracts.map(({ contractId }) => contractId) });
  return world.build();
};

describe('tokenList', () => {
  test('sorts by lower-case name, then by code unit and principal; blank names come last', async () => {
    const names: [string, string | undefined][] = [
      ['n', undefined],
      ['same-b', 'Same'],
      ['lower', 'a'],
      ['accent', 'é'],
      ['upper', 'Z'],
      ['number', '10'],
      ['number-2', '9'],
      ['empty', ''],
      ['blank', ' \u{3000}'],
      ['indented', ' indented'],
      ['same-a', 'Same'],
      ['same', 'Same'],
      ['Same', 'Same'],
      ['other-case', 'same'],
      // In UTF-16, a surrogate pair sorts before U+FF5E, since its first code unit is smaller.
      ['wide', '\u{ff5e}'],
      ['pair', '\u{1f600}'],
      ['prefix', 'Sam'],
      ['a-nameless', undefined],
      ['nul', 'nul\0behind'],
      ['long', `${'\u{1f600}'.repeat(100)} and more`],
    ];
    const tree = await buildOf(names.map(([name, tokenName]) => named(name, tokenName)));
    const results = list(tree).results.map(({ name, contract_principal }) => [
      String(contract_principal).split('.')[1],
      name,
    ]);
    const order = `indented number number-2 lower nul prefix Same same same-a same-b other-case upper accent pair long wide
      a-nameless blank empty n`;
    const nameOf = new Map(names);
    expect(results).toEqual(order.split(/\s+/).map((name) => [name, nameOf.get(name)]));
    const found = parse(tree, NAMES) as [string, string, string][];
    expect(found.map(([, name]) => name)).toEqual(
      results.map(([, name]) => [...String(name ?? '')].slice(0, 64).join('')),
    );
    // In the search file, a blank name is an empty text.
    const rows = parse(tree, 'search/tokens/index.json') as [string, string, string][];
    const shown = new Map(rows.map(([, id, name]) => [id.split('.')[1], name]));
    const searched = ['n', 'empty', 'blank', 'nul', 'indented'].map((name) => shown.get(name));
    expect(searched).toEqual(['', '', '', 'nul\0behind', ' indented']);
  });

  test('leaves out missing values, and keeps 0', async () => {
    const zeros = { 'get-decimals': Cl.uint(0), 'get-total-supply': Cl.uint(0) };
    const tree = await buildOf([
      token('zeros', { ...zeros, 'get-symbol': Cl.stringAscii('') }),
      token('nothing-but-name', { 'get-symbol': undefined, 'get-decimals': undefined, 'get-total-supply': undefined }),
      token('nothing-but-decimals', {
        'get-name': undefined,
        'get-symbol': undefined,
        'get-decimals': Cl.uint(0),
        'get-total-supply': undefined,
      }),
    ]);
    const always = { tx_id: expect.any(String), sender_address: ADDRESS };
    const is = (name: string) => ({
      asset_identifier: `${idOf(name)}::coin`,
      contract_principal: idOf(name),
    });
    expect(list(tree).results).toEqual([
      { ...always, name: 'Token nothing-but-name', ...is('nothing-but-name') },
      { ...always, name: 'Token zeros', symbol: '', decimals: 0, total_supply: '0', ...is('zeros') },
      { ...always, decimals: 0, ...is('nothing-but-decimals') },
    ]);
    expect(tree.get(INDEX)).not.toContain('null');
  });
});

describe('pages of the token list', () => {
  const names = Array.from({ length: 65 }, (_, index) => `t-${String(index).padStart(2, '0')}`);
  const principals = names.map(idOf);
  const deploys = (from: number, to: number) =>
    names.slice(from, to).map((name, index) =>
      deployJson(name, `(define-constant c u${from + index})`, {
        nonce: from + index,
        clarityVersion: 2,
        interface: TOKEN_INTERFACE,
      }),
    );
  /** Two blocks with 40 tokens in the first one. In a fork, the second block is replaced. */
  const LINES = [
    blockLine({ id: 1, parent: 0, height: 1, transactions: deploys(0, 40) }),
    blockLine({ id: 2, parent: 1, height: 2, transactions: deploys(40, 65) }),
  ];
  const FORK = [blockLine({ id: '2b', parent: 1, height: 2 }), blockLine({ id: '3b', parent: '2b', height: 3 })];

  const expectPages = (tree: ReadonlyMap<string, string>, tokens: readonly string[]) => {
    // The last page of each size is empty, for clients that read until they get an empty page.
    const offsets = (limit: number) =>
      Array.from({ length: Math.ceil(tokens.length / limit) + 1 }, (_, index) => index * limit);
    const pages = [20, 60].flatMap((limit) => offsets(limit).map((offset) => [limit, offset] as const));
    expect(listFiles(tree)).toEqual(
      [INDEX, MANIFEST, NAMES, ...pages.map(([limit, offset]) => page(limit, offset))].sort(),
    );
    expect(tree.get(INDEX)).toBe(tree.get(page(20, 0)));
    for (const [limit, offset] of pages) {
      const response = list(tree, page(limit, offset));
      expect(response).toMatchObject({ limit, offset, total: tokens.length });
      expect(response.results.map((entry) => entry.contract_principal)).toEqual(tokens.slice(offset, offset + limit));
    }
    // The digests in the manifest fit the files of this build.
    const digest = (path: string) => hash('sha256', tree.get(path) ?? '', 'hex').slice(0, 16);
    const largest = offsets(60).map((offset) => digest(page(60, offset)));
    expect(parse(tree, MANIFEST)).toEqual({ total: tokens.length, names: digest(NAMES), pages: largest });
    const searched = parse(tree, NAMES);
    expect(searched).toEqual(tokens.map((contractId) => [contractId, expect.any(String), expect.any(String), false]));
  };

  test('default', async () => {
    const world = await indexOfServers(names.map((name) => cannedToken(name)));
    await world.run({ archives: [world.archive(LINES)] });
    const all = await world.build();
    expectPages(all, principals);

    // The fork removes the tokens of the second block. Their responses and the third page are removed, too.
    await world.run({ archives: [world.archive([...LINES, ...FORK])] });
    const less = await world.build();
    expectPages(less, principals.slice(0, 40));
    for (const name of principals.slice(40)) expect(less.has(`metadata/v1/ft/${name}`)).toBe(false);
    expect([all.has(page(20, 60)), less.has(page(20, 60))]).toEqual([true, false]);
  });

  test('does not write an unchanged list', async () => {
    const world = await indexOfServers(
      names.slice(0, 21).map((name) => cannedToken(name)),
      { tipHeight: 1 },
    );
    const out = join(world.folder, 'dist');
    const build = () => runBuild(world.store, buildOptions(out, { imageFolder: join(world.folder, 'images') }));
    await world.run({ archives: [world.archive(LINES.slice(0, 1))] });
    await build();
    const before = readTree(out);
    // A block without transactions changes the tip of the chain, which the token list file has as its version.
    await world.run({ archives: [world.archive([...LINES.slice(0, 1), blockLine({ id: 2, parent: 1, height: 2 })])] });
    expect(await build()).toMatchObject({ removed: 0, written: 2 });
    const changed = [...readTree(out)].filter(([path, body]) => before.get(path) !== body).map(([path]) => path);
    expect(changed.sort()).toEqual(['metadata/v1/index.json', 'metadata/v1/tokenlist.json']);
  });

  test('updates the pages of a growing list', async () => {
    const world = await indexOfServers(names.map((name) => cannedToken(name)));
    for (const count of [0, 1, 20, 21, 60, 61]) {
      await world.run({ contracts: principals.slice(0, count) });
      expectPages(await world.build(), principals.slice(0, count));
    }
  });
});
