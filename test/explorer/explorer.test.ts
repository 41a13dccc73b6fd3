// Tests computations of the explorer: places, typed texts, amounts, and tokens of source.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clarityTokens, findDefinitions, principalOf, sourceChunks } from '#explorer/clarity-tokens.ts';
import { exampleOf, toLiteral, typeText } from '#explorer/clarity-types.ts';
import { encodeLiteral, showValue } from '#explorer/clarity-values.ts';
import { formatAge, formatAmount, formatDay, shortAddress } from '#explorer/format.ts';
import { isTransactionId, readAddress, readSearchText } from '#explorer/search-text.ts';
import { pageKey, placeOfSearch, readView } from '#explorer/view.ts';
import { formatCount } from '#text/format-count.ts';
import { Random } from '../support/random.ts';

const ID = 'SP000000000000000000002Q6VF78.some-token';
const [ADDRESS = ''] = ID.split('.');
const CONTRACTS = new URL('../../data/sample/contracts/', import.meta.url);

describe('readView', () => {
  test.each([
    ['', { page: 'home' }],
    ['#/', { page: 'home' }],
    [`#/token/${ID}`, { page: 'token', id: ID }],
    [`#/contract/${ID}`, { page: 'contract', id: ID, tab: 'source' }],
    [`#/contract/${ID}/12`, { page: 'contract', id: ID, tab: 'source', line: 12 }],
    [`#/contract/${ID}/calls`, { page: 'contract', id: ID, tab: 'calls' }],
    [`#/address/${ADDRESS}`, { page: 'address', address: ADDRESS }],
    [`#/nft/${ID}`, { page: 'collection', kind: 'nft', id: ID, offset: 0 }],
    [`#/sft/${ID}/from/120`, { page: 'collection', kind: 'sft', id: ID, offset: 120 }],
    ['#/search/swap-v2', { page: 'search', text: 'swap-v2' }],
    [`#/nft/${ID}/0`, { page: 'item', kind: 'nft', id: ID, number: '0' }],
    [`#/nft/${ID}/${2n ** 128n - 1n}`, { page: 'item', kind: 'nft', id: ID, number: String(2n ** 128n - 1n) }],
  ])('%s', (fragment, place) => {
    expect(readView(fragment)).toEqual(place);
  });

  test.each([
    '#/token/x',
    `#/token/${ID}/7`,
    `#/nft/${ID}/07`,
    '#/contract/javascript:alert(1)',
    `#/token/../${ID}`,
    `#/contract/${ID}/nothing`,
    `#/address/${ID}`,
    '#/address/SP1',
  ])('%s', (fragment) => {
    expect(readView(fragment)).toEqual({ page: 'unknown' });
  });
});

test('placeOfSearch: a search keeps any text, and a long one its beginning', () => {
  for (const text of ['swap-v2', '$ROO', 'stx bitcoin', '<b>', 'a/b', '100%', '%41', "satoshi's", 'é\u2028\n', '😀']) {
    expect(readView(placeOfSearch(text))).toEqual({ page: 'search', text });
    expect(new URL(placeOfSearch(text), 'https://site.example').hash).toBe(placeOfSearch(text));
  }
  expect(readView('#/search/100%')).toEqual({ page: 'search', text: '100%' });
  expect(readView(placeOfSearch(`${'a'.repeat(199)}😀`))).toEqual({ page: 'search', text: `${'a'.repeat(199)}\ufffd` });
  expect(readView(`#/search/${'a'.repeat(300)}`)).toEqual({ page: 'search', text: 'a'.repeat(200) });
});

test('pageKey: a line or a tab of a contract opens no other page', () => {
  const keyOf = (fragment: string) => pageKey(readView(fragment));
  expect(keyOf(`#/contract/${ID}/12`)).toBe(keyOf(`#/contract/${ID}/json`));
  expect(keyOf(`#/contract/${ID}`)).not.toBe(keyOf(`#/contract/${ID}x`));
  expect(keyOf(`#/nft/${ID}`)).not.toBe(keyOf(`#/nft/${ID}/from/60`));
});

describe('readSearchText', () => {
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
    // Texts that are not ids stay unchanged.
    ['LP: STX/USDA', { text: 'LP: STX/USDA' }],
    [`${ID}/07`, { text: `${ID}/07` }],
    ["'t Hooft", { text: "'t Hooft" }],
  ])('%s', (typed, asked) => {
    expect(readSearchText(typed)).toEqual(asked);
  });

  test('an address is whole, in any case', () => {
    expect(readAddress(ADDRESS.toLowerCase())).toBe(ADDRESS);
    for (const text of [ADDRESS.slice(0, 20), ID, 'a'.repeat(30), ADDRESS.replace('SP', 'XP')])
      expect(readAddress(text)).toBeUndefined();
  });

  test('the id of a transaction, as far as it was typed', () => {
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
    ['5000', 80, '0.'.padEnd(78, '0').concat('5')],
    ['5000', 255, '5,000 base units'],
    ['5000', Number.MAX_SAFE_INTEGER, '5,000 base units'],
    ['5000', undefined, '5,000 base units'],
    ['x', 2, 'x'],
  ])('formatAmount: %s with %s decimals', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text);
  });

  test('default', () => {
    expect(formatCount(1_234_567)).toBe('1,234,567');
    const now = Date.parse('2026-01-02T00:00:00Z');
    expect(formatAge('2026-01-01T23:59:00Z', now)).toBe('1 minute ago');
    expect(formatAge('2026-01-01T12:00:00Z', now)).toBe('12 hours ago');
    expect(formatAge('2026-01-01T00:01:00Z', now)).toBe('24 hours ago');
    // An older time is a day, in UTC.
    expect(formatAge('2026-01-01T00:00:00Z', now)).toBe('1 Jan 2026');
    expect(formatAge('2024-12-17T23:59:59Z', now)).toBe('17 Dec 2024');
    expect(formatDay('2024-12-17')).toBe('17 Dec 2024');
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

  test('joined, they are the source, whatever it is', () => {
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

  test('chunks are whole lines, and joined the source', () => {
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

  test('what a source defines is found where it is', () => {
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
      'use-trait .other.sip 2',
      'define-map m 3',
      'define-constant list 3',
      'define-public f 4',
      'define-private g 6',
    ]);
  });

  test('a principal is linked to its contract, an address to none', () => {
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
  ])('%j is %s, such as %s', (type, text, example) => {
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
  ])('of %j, %s is %s', (type, typed, literal) => {
    expect(toLiteral(type, typed)).toBe(literal);
    expect(encodeLiteral(literal)).toMatch(/^0x/);
  });

  test('a value is shown as Clarity and as JSON; what is none is not', () => {
    const hex = encodeLiteral('(ok {a: (list u1 u2), b: none})') as string;
    expect(showValue(hex)?.clarity.replaceAll(/\s/g, '')).toBe('(ok{a:(listu1u2),b:none})');
    expect(JSON.parse(showValue(hex)?.json ?? '')).toMatchObject({ success: true });
    for (const literal of ['', 'u', '(list u1', 'abc', 'u1 u2']) expect(encodeLiteral(literal)).toBeUndefined();
    for (const bad of ['', '0x', '0xff', hex.slice(0, -2), `0x${'0a'.repeat(200_000)}09`])
      expect(showValue(bad)).toBeUndefined();
  });
});
