import { describe, expect, test } from 'vitest';
import { fillLocale, fillTokenNumber, fillValues, hasLocalePlaceholder } from '#sip-016/fill-template.ts';

describe('SIP-016, Return Value of Metadata URI Functions: fillTokenNumber', () => {
  test.each([
    ['https://x/{id}.json', 'https://x/7.json'],
    ['https://x/{ID}/{Id}', 'https://x/7/7'],
    ['https://x/$TOKEN_ID.json', 'https://x/7.json'],
    ['https://x/$token_id', 'https://x/7'],
    ['https://x/{id}?t=$TOKEN_ID', 'https://x/7?t=7'],
    ['https://x/{locale}/{ id }/id/TOKEN_ID', 'https://x/{locale}/{ id }/id/TOKEN_ID'],
    ['https://{id}.x.test/{id}', 'https://{id}.x.test/7'],
    ['https:/{id}.x.test/{id}', 'https:/{id}.x.test/7'],
    ['HTTPS:{id}.x.test/{id}', 'HTTPS:{id}.x.test/7'],
    ['http:\\\\{id}.x.test\\{id}', 'http:\\\\{id}.x.test\\7'],
    ['http:\n//\t{id}.x.test/{id}', 'http:\n//\t{id}.x.test/7'],
    ['ipfs://$TOKEN_ID/{id}', 'ipfs://$TOKEN_ID/7'],
    ['x:{{id}d}$$TOKEN_IDTOKEN_ID', 'x:{7d}$7TOKEN_ID'],
    ['', ''],
  ])('%s', (uri, filled) => {
    expect(fillTokenNumber(uri, '7')).toBe(filled);
  });
});

describe('fillValues', () => {
  test('default', () => {
    const value = { '{id}': 'a{id}b{id}', list: ['{id}', { c: '{{id}}' }], number: 1, none: null, yes: true };
    const filled = { '{id}': 'a7b7', list: ['7', { c: '{7}' }], number: 1, none: null, yes: true };
    expect(fillValues(value, '7')).toStrictEqual(filled);
  });

  test('SIP-016, JSON scheme of Metadata: fills in only the text {id}', () => {
    for (const text of ['{ID}', '{ id }', '$TOKEN_ID', '{locale}', '{id', 'id}'])
      expect(fillValues(text, '7')).toBe(text);
  });

  test('keeps a key __proto__, and does not change its argument', () => {
    const value = Object.freeze(JSON.parse('{"__proto__":{"a":"{id}"}}') as object);
    expect(JSON.stringify(fillValues(value, '7'))).toBe('{"__proto__":{"a":"7"}}');
    expect(JSON.stringify(value)).toContain('{id}');
  });
});

describe('SIP-016, JSON scheme of Metadata, localization.uri: fillLocale', () => {
  test.each([
    ['https://x/{locale}.json', 'https://x/pt-BR.json'],
    ['https://x/{LOCALE}/{Locale}', 'https://x/pt-BR/pt-BR'],
    ['https://x/{id}', 'https://x/{id}'],
  ])('%s', (uri, filled) => {
    expect(fillLocale(uri, 'pt-BR')).toBe(filled);
  });

  test('does not interpret a locale as a replacement pattern', () => {
    expect(fillLocale('a{locale}b', '$&$1$`')).toBe('a$&$1$`b');
  });
});

describe('hasLocalePlaceholder', () => {
  test('default', () => {
    expect(hasLocalePlaceholder('https://x/{Locale}.json')).toBe(true);
    expect(hasLocalePlaceholder('https://x/locale.json')).toBe(false);
  });
});
