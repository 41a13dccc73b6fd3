// What the explorer works out before it draws: places, finds, amounts, and source cut into tokens.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isTransactionId, readAsked } from '#explorer/asked.ts';
import { clarityTokens, principalOf, sourceChunks } from '#explorer/clarity-tokens.ts';
import { exampleOf, toLiteral, typeText } from '#explorer/clarity-types.ts';
import { encodeLiteral, showValue } from '#explorer/clarity-values.ts';
import { findDefinitions } from '#explorer/definitions.ts';
import { type FunctionFence, findFunctions } from '#explorer/find-functions.ts';
import { findTokens, sortTokens, type TokenRow } from '#explorer/find-tokens.ts';
import { formatAge, formatAmount, shortAddress } from '#explorer/format.ts';
import { findNeighbours, PAGE_SIZE } from '#explorer/neighbours.ts';
import { pageKey, readPlace } from '#explorer/place.ts';
import { formatCount } from '#text/format-count.ts';
import { Random } from '../support/random.ts';

const ID = 'SP000000000000000000002Q6VF78.some-token';
const [ADDRESS = ''] = ID.split('.');
const CONTRACTS = new URL('../../data/sample/contracts/', import.meta.url);

describe('readPlace', () => {
  test.each([
    ['', { page: 'home' }],
    ['#/', { page: 'home' }],
    [`#/token/${ID}`, { page: 'token', id: ID }],
    [`#/contract/${ID}`, { page: 'contract', id: ID, tab: 'source' }],
    [`#/contract/${ID}/12`, { page: 'contract', id: ID, tab: 'source', line: 12 }],
    [`#/contract/${ID}/calls`, { page: 'contract', id: ID, tab: 'calls' }],
    [`#/address/${ADDRESS}`, { page: 'address', address: ADDRESS }],
    ['#/function/get-a?!', { page: 'function', name: 'get-a?!' }],
    [`#/nft/${ID}`, { page: 'collection', kind: 'nft', id: ID, offset: 0 }],
    [`#/sft/${ID}/from/120`, { page: 'collection', kind: 'sft', id: ID, offset: 120 }],
    ['#/search/swap-v2', { page: 'search', text: 'swap-v2' }],
    [`#/nft/${ID}/0`, { page: 'item', kind: 'nft', id: ID, number: '0' }],
    [`#/nft/${ID}/${2n ** 128n - 1n}`, { page: 'item', kind: 'nft', id: ID, number: String(2n ** 128n - 1n) }],
  ])('default: %s', (fragment, place) => {
    expect(readPlace(fragment)).toEqual(place);
  });

  test.each([
    '#/token/x',
    `#/token/${ID}/7`,
    `#/nft/${ID}/07`,
    '#/contract/javascript:alert(1)',
    `#/token/../${ID}`,
    '#/search/<b>',
    `#/contract/${ID}/nothing`,
    `#/address/${ID}`,
    '#/address/SP1',
    '#/function/a b',
  ])('error: %s', (fragment) => {
    expect(readPlace(fragment)).toEqual({ page: 'unknown' });
  });
});

test('pageKey: a line or a tab of a contract opens no other page', () => {
  const keyOf = (fragment: string) => pageKey(readPlace(fragment));
  expect(keyOf(`#/contract/${ID}/12`)).toBe(keyOf(`#/contract/${ID}/json`));
  expect(keyOf(`#/contract/${ID}`)).not.toBe(keyOf(`#/contract/${ID}x`));
  expect(keyOf(`#/nft/${ID}`)).not.toBe(keyOf(`#/nft/${ID}/from/60`));
});

describe('findTokens', () => {
  const rows: readonly TokenRow[] = [
    ['ft', 'SP1.a', 'Pressed', 'PRS'],
    ['ft', 'SP1.b', 'Other', 'PRESS'],
    ['ft', 'SP1.c', 'The press', 'TP'],
    ['nft', 'SP1.press-club'],
    ['ft', 'SP1.d', 'Ｐｒｅｓｓ', 'W'],
  ];
  const names = (text: string) => findTokens(rows, text).map(([, id]) => id);

  test('default: the symbol first, then the name, its beginning, a part of it, and the principal', () => {
    expect(names('press')).toEqual(['SP1.b', 'SP1.d', 'SP1.a', 'SP1.c', 'SP1.press-club']);
    expect(names(' PRESS ')).toEqual(names('press'));
    expect(names('prs')).toEqual(['SP1.a']);
  });

  test('behavior: of equals, those with a name and a picture first, and collections without a name last', () => {
    const equals: readonly TokenRow[] = [
      ['nft', 'SP1.stx'],
      ['ft', 'SP2.stx', 'stx'],
      ['nft', 'SP3.stx', 'First of them'],
      ['ft', 'SP4.stx', 'Real', 'R', '/images/a.png'],
      ['ft', 'SP5.stx', 'Real', 'R'],
    ];
    const order = ['SP4.stx', 'SP3.stx', 'SP5.stx', 'SP2.stx', 'SP1.stx'];
    expect(findTokens(equals, '.stx').map(([, id]) => id)).toEqual(order);
    expect(sortTokens(equals).map(([, id]) => id)).toEqual(order);
    // How well a row fits counts more.
    expect(findTokens(equals, 'SP1.stx').map(([, id]) => id)).toEqual(['SP1.stx']);
  });

  test('behavior: nothing is found of nothing', () => {
    expect(names('  ')).toEqual([]);
    expect(names('nowhere')).toEqual([]);
    // What stands within an address is no name.
    expect([names('p1'), names('sp1.a')]).toEqual([[], ['SP1.a']]);
  });

  test('behavior: all of a symbol are found, and a whole id before those that begin with it', () => {
    const many = Array.from({ length: 27 }, (_, index): TokenRow => ['ft', `SP1.t-${index}`, '', 'sBTC']);
    expect(findTokens(many, 'sbtc')).toEqual(many);
    expect(findTokens(many.toReversed(), 'SP1.t-2').map(([, id]) => id)[0]).toBe('SP1.t-2');
  });
});

describe('findNeighbours', () => {
  /** Says where a token stands, and how many pages were asked. */
  const find = async (ids: readonly string[], number: string) => {
    const asked = new Set<number>();
    const found = await findNeighbours(number, async (offset) => {
      asked.add(offset);
      const results = ids.slice(offset, offset + PAGE_SIZE).map((id) => ({ token_id: id }));
      return { total: ids.length, results };
    });
    return [found && [found.position, found.previous, found.next], asked.size];
  };
  const counted = (count: number, step = 1n) =>
    Array.from({ length: count }, (_, index) => String(BigInt(index) * step + 1n));

  test('default: a collection that counts on needs two pages, or three at the edge of one', async () => {
    const ids = counted(10_000);
    expect(await find(ids, '5000')).toEqual([[4_999, '4999', '5001'], 2]);
    expect(await find(ids, '1')).toEqual([[0, undefined, '2'], 1]);
    expect(await find(ids, '60')).toEqual([[59, '59', '61'], 2]);
    expect(await find(ids, '10000')).toEqual([[9_999, '9999', undefined], 2]);
  });

  test('behavior: whatever its numbers, all are found, and no other', async () => {
    const lists = [counted(200, 7n), counted(150, 2n ** 120n), ['5'], counted(61), []];
    for (const ids of lists) {
      for (const [index, id] of ids.entries())
        expect((await find(ids, id))[0]).toEqual([index, ids[index - 1], ids[index + 1]]);
      for (const other of ['0', '3', String(2n ** 128n - 1n)])
        if (!ids.includes(other)) expect((await find(ids, other))[0]).toBeUndefined();
    }
  });
});

test('findFunctions: those that begin so, in the blocks that may have them', async () => {
  const fence: FunctionFence = [
    ['add', 'a'],
    ['get-price', 'b'],
    ['get-zone', 'c'],
    ['set', 'd'],
  ];
  const blocks = { a: ['add', 'get'], b: ['get-price', 'get-x'], c: ['get-zone'], d: ['set'] };
  const asked: string[] = [];
  const find = async (prefix: string) => {
    asked.length = 0;
    const rows = await findFunctions(
      fence,
      async (id) => {
        asked.push(id);
        return blocks[id as keyof typeof blocks].map((name) => [name, 1, ID] as const);
      },
      prefix,
    );
    return [rows.map(([name]) => name), asked.join('')];
  };
  expect(await find('get-p')).toEqual([['get-price'], 'ab']);
  expect(await find('get-price')).toEqual([['get-price'], 'b']);
  expect(await find('set-')).toEqual([[], 'd']);
  expect(await find('a')).toEqual([['add'], 'a']);
  expect(await find('_')).toEqual([[], '']);
});

describe('readAsked', () => {
  test.each([
    [' token ', { text: 'token' }],
    [`'${ID}`, { text: ID }],
    [`'SP0000`, { text: 'SP0000' }],
    [`${ID}::asset`, { text: ID }],
    [`${ID}:`, { text: ID }],
    [`'${ID}.some-trait`, { text: ID }],
    [`${ID}/7`, { text: ID, number: '7' }],
    [`${ID}::asset/0`, { text: ID, number: '0' }],
    [`${ID}/`, { text: ID }],
    [ID.replace('SP', 'sp'), { text: ID }],
    // What is no id is left as it is.
    ['LP: STX/USDA', { text: 'LP: STX/USDA' }],
    [`${ID}/07`, { text: `${ID}/07` }],
    ["'t Hooft", { text: "'t Hooft" }],
  ])('default: %s', (typed, asked) => {
    expect(readAsked(typed)).toEqual(asked);
  });

  test('behavior: the id of a transaction, as far as it was typed', () => {
    for (const id of [`0x${'a1'.repeat(32)}`, 'a1'.repeat(32), '0xA1b2']) expect(isTransactionId(id)).toBe(true);
    for (const text of ['0xBTC', 'face', `${'a1'.repeat(32)}a`]) expect(isTransactionId(text)).toBe(false);
  });
});

describe('amounts and times', () => {
  test.each([
    ['0', 6, '0'],
    ['1', 6, '0.000001'],
    ['1234567890', 6, '1,234.56789'],
    ['1000000', 6, '1'],
    ['21', 0, '21'],
    [String(2n ** 128n - 1n), 0, '340,282,366,920,938,463,463,374,607,431,768,211,455'],
    ['5', 255, '5'],
    ['x', 2, 'x'],
  ])('formatAmount: %s with %s decimals', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text);
  });

  test('default', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(formatAge('2026-01-01T23:59:00Z', now)).toBe('1 minute ago');
    expect(formatAge('2026-01-01T12:00:00Z', now)).toBe('12 hours ago');
    expect(formatAge('2025-01-02T00:00:00Z', now)).toBe('365 days ago');
    // The clock of a reader may be behind.
    expect(formatAge('2026-01-03T00:00:00Z', now)).toBe('0 minutes ago');
    expect(shortAddress('SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7')).toBe('SP2J6Z…RV9EJ7');
    expect(shortAddress('0x00')).toBe('0x00');
  });
});

describe('clarityTokens', () => {
  const textOf = (source: string) => [...clarityTokens(source)].map(({ text }) => text).join('');
  const kindsOf = (source: string) =>
    [...clarityTokens(source)].flatMap(({ kind, text }) => (kind === 'other' ? [] : [[kind, text]]));

  test('default', () => {
    expect(kindsOf(`(contract-call? .other f u1 -7 "a\\"b" 'SP000000000000000000002Q6VF78.x) ; (no code)`)).toEqual([
      ['keyword', 'contract-call?'],
      ['principal', '.other'],
      ['name', 'f'],
      ['number', 'u1'],
      ['number', '-7'],
      ['text', '"a\\"b"'],
      ['principal', "'SP000000000000000000002Q6VF78.x"],
      ['comment', '; (no code)'],
    ]);
  });

  test('behavior: joined, they are the source, whatever it is', () => {
    for (const file of readdirSync(CONTRACTS)) {
      const source = readFileSync(new URL(file, CONTRACTS), 'utf8');
      expect(textOf(source)).toBe(source);
    }
    const random = new Random(5);
    const parts = ['(', ')', '"', '\\', ';', '\n', "'SP", '.', 'u', '-', '0x', 'é', '<script>', 'define-map', ' ', '7'];
    for (let round = 0; round < 2_000; round++) {
      const source = Array.from({ length: random.below(30) }, () => random.pick(parts)).join('');
      expect(textOf(source)).toBe(source);
    }
  });

  test('behavior: chunks are whole lines, and joined the source', () => {
    const source = `${'(f "a\nb") ; c\n'.repeat(450)}\n\n(end)`;
    for (const one of [source, `${source}\n`, '', 'a', '\n']) {
      const chunks = [...sourceChunks(one)];
      expect(chunks.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join('')).toBe(one);
      let next = 1;
      for (const { first, lines, tokens } of chunks) {
        expect(first).toBe(next);
        next += lines;
        const text = tokens.map((token) => token.text).join('');
        expect(text.split('\n').length - 1).toBe(next > one.split('\n').length ? lines - 1 : lines);
      }
      expect(next - 1).toBe(one.split('\n').length);
    }
    expect([...sourceChunks(source)].length).toBeGreaterThan(7);
  });

  test('behavior: what a source defines is found where it is', () => {
    const source = [
      `(impl-trait '${ID}.sip)`,
      '(use-trait ft .other.sip) ;; (define-map no uint uint)',
      '(define-map m uint uint) (define-constant list u1)',
      '(define-public (f (a uint))',
      '  (ok "(define-private (no) u1)"))',
      '(define-private  ( ; a comment',
      '  g ) (f))',
    ].join('\n');
    expect(findDefinitions(source).map(({ form, name, line }) => `${form} ${name} ${line}`)).toEqual([
      `impl-trait '${ID}.sip 1`,
      'use-trait .other 2',
      'define-map m 3',
      'define-constant list 3',
      'define-public f 4',
      'define-private g 6',
    ]);
  });

  test('behavior: a principal is linked to its contract, an address to none', () => {
    expect(principalOf('.other', ID)).toBe('SP000000000000000000002Q6VF78.other');
    expect(principalOf(`'${ID}`, 'SP1.x')).toBe(ID);
    expect(principalOf(`'${ID}.trait`, 'SP1.x')).toBe(ID);
    expect(principalOf("'SP000000000000000000002Q6VF78", 'SP1.x')).toBeUndefined();
  });
});

describe('arguments and what a call returns', () => {
  const TUPLE = {
    tuple: [
      { name: 'id', type: 'uint128' },
      { name: 'to', type: { optional: 'principal' } },
    ],
  };

  test.each([
    ['uint128', 'uint', 'u1'],
    ['bool', 'bool', 'true'],
    [{ buffer: { length: 32 } }, '(buff 32)', '0x00'],
    [{ list: { type: { 'string-utf8': { length: 8 } }, length: 5 } }, '(list 5 (string-utf8 8))', '(list u"text")'],
    [{ response: { ok: 'int128', error: 'none' } }, '(response int none)', '(ok 1)'],
    [TUPLE, '{id: uint, to: (optional principal)}', "{id: u1, to: (some 'SP….name)}"],
  ])('default: %j is %s, such as %s', (type, text, example) => {
    expect([typeText(type), exampleOf(type)]).toEqual([text, example]);
    expect(encodeLiteral(example.replace('SP….name', ID))).toMatch(/^0x/);
  });

  test.each([
    ['uint128', ' 5 ', 'u5'],
    ['uint128', 'u5', 'u5'],
    ['int128', '-5', '-5'],
    ['principal', ID, `'${ID}`],
    ['principal', `'${ID}`, `'${ID}`],
    [{ 'string-ascii': { length: 9 } }, 'a "b"', '"a \\"b\\""'],
    [{ 'string-ascii': { length: 9 } }, '"ab"', '"ab"'],
    [{ 'string-utf8': { length: 9 } }, 'é', 'u"é"'],
    [{ optional: 'uint128' }, 'none', 'none'],
  ])('default: of %j, %s is %s', (type, typed, literal) => {
    expect(toLiteral(type, typed)).toBe(literal);
    expect(encodeLiteral(literal)).toMatch(/^0x/);
  });

  test('behavior: a value is shown as Clarity and as JSON; what is none is not', () => {
    const hex = encodeLiteral('(ok {a: (list u1 u2), b: none})') as string;
    expect(showValue(hex)?.clarity.replaceAll(/\s/g, '')).toBe('(ok{a:(listu1u2),b:none})');
    expect(JSON.parse(showValue(hex)?.json ?? '')).toMatchObject({ success: true });
    for (const literal of ['', 'u', '(list u1', 'abc', 'u1 u2']) expect(encodeLiteral(literal)).toBeUndefined();
    for (const bad of ['', '0x', '0xff', hex.slice(0, -2), `0x${'0a'.repeat(200_000)}09`])
      expect(showValue(bad)).toBeUndefined();
  });
});
