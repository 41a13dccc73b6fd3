import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#model/metadata.ts';
import { NO_NUMBER } from '#model/token.ts';
import { normalizeDocument, servableLocales } from '#sip-016/normalize-document.ts';

const normalize = (json: { [key: string]: JsonValue }) => normalizeDocument(json, '1');

describe('normalizeDocument', () => {
  test('SIP-016, JSON scheme of Metadata: keeps each field of the schema', () => {
    const document = {
      sip: 16,
      name: 'Token',
      description: 'A token',
      image: 'ipfs://a/b.png',
      attributes: [{ trait_type: 'level', display_type: 'number', value: 3 }],
      properties: { collection: 'C', nested: { a: [null, 0, false, ''] } },
      localization: { uri: 'https://x/{locale}.json', default: 'en', locales: ['en', 'pt-BR'] },
    };
    expect(normalize({ ...document, unknown: 1 })).toStrictEqual({ document, warnings: [] });
  });

  test('leaves out missing fields', () => {
    expect(normalize({})).toStrictEqual({ document: {}, warnings: [] });
  });

  test.each<[string, { [key: string]: JsonValue }]>([
    ['a sip that is a string', { sip: '16' }],
    ['a sip with a fraction', { sip: 16.5 }],
    ['a name that is null', { name: null }],
    ['a name that is an object', { name: { en: 'a' } }],
    ['a description that is a number', { description: 0 }],
    ['an image that is a list', { image: ['a.png'] }],
    ['attributes that are an object', { attributes: { a: 1 } }],
    ['properties that are a list', { properties: [1] }],
    ['properties that are null', { properties: null }],
    ['a name that is a number', { name: 7 }],
    ['a sip that is too large', { sip: 1e300 }],
    ['a localization that is a string', { localization: 'en' }],
    ['a localization that is a list', { localization: [] }],
    ['locales that are an object', { localization: { uri: 'a', locales: { length: 9 } } }],
    ['a localization without uri', { localization: { locales: ['en'] } }],
    ['a localization without locales', { localization: { uri: 'a', default: 'en' } }],
  ])('SIP-016, JSON scheme of Metadata: drops %s with one warning', (_, json) => {
    expect(normalize(json)).toStrictEqual({ document: {}, warnings: [expect.stringContaining('was dropped')] });
  });

  test('keeps a number that JSON readers round, with a warning', () => {
    const { document, warnings } = normalize({
      properties: { supply: 2 ** 53, small: 2 ** 53 - 1, parts: [0.1, -1e21] },
    });
    expect(document.properties).toEqual({ supply: 2 ** 53, small: 2 ** 53 - 1, parts: [0.1, -1e21] });
    expect(warnings).toEqual([
      'the number 9007199254740992 may have lost digits',
      'the number -1e+21 may have lost digits',
    ]);
  });

  test.each<[string, { [key: string]: JsonValue }, string | undefined]>([
    ['image first', { image_url: 'c', imageUrl: 'b', image: 'a' }, 'a'],
    ['then imageUrl', { image_canonical_uri: 'e', image_uri: 'd', image_url: 'c', imageUrl: 'b' }, 'b'],
    ['then image_url', { image_canonical_uri: 'e', image_uri: 'd', image_url: 'c' }, 'c'],
    ['then image_uri', { image_canonical_uri: 'e', image_uri: 'd' }, 'd'],
    ['then image_canonical_uri', { image_canonical_uri: 'e' }, 'e'],
    ['the next one if one is empty', { image: ' ', imageUrl: 'b' }, 'b'],
    ['the next one if one is not a string', { image: null, image_url: 'c' }, 'c'],
    ['a script, unchanged', { image: 'javascript:alert(1)' }, 'javascript:alert(1)'],
    ['none if all are empty', { image: '', image_uri: '' }, undefined],
    ['the token number filled in', { image: ' ipfs://a/{id}-$TOKEN_ID.png ' }, 'ipfs://a/1-1.png'],
  ])('reads the image: %s', (_, json, image) => {
    expect(normalize(json).document.image).toBe(image);
  });

  test('SIP-016, Attributes: keeps the values 0, false and an empty text', () => {
    const attributes = [0, false, ''].map((value) => ({ trait_type: '', value }));
    expect(normalize({ attributes })).toStrictEqual({ document: { attributes }, warnings: [] });
  });

  test.each<[string, JsonValue]>([
    ['not an object', 'a'],
    ['null', null],
    ['a missing trait_type', { value: 1 }],
    ['a trait_type that is not a string', { trait_type: 5, value: 1 }],
    ['a missing value', { trait_type: 'a' }],
    ['an object for a value', { trait_type: 'a', value: {} }],
    ['a list for a value', { trait_type: 'a', value: [1] }],
    ['null for a value', { trait_type: 'a', value: null }],
  ])('SIP-016, Attributes: drops an invalid attribute and keeps the rest, %s', (_, item) => {
    const good = { trait_type: 'b', value: 1 };
    const { document, warnings } = normalize({ attributes: [item, good] });
    expect(document.attributes).toStrictEqual([good]);
    expect(warnings).toEqual([expect.stringContaining('attributes[0]')]);
  });

  test('drops an invalid display_type, and fields that SIP-016 does not define', () => {
    const attributes = [{ trait_type: 'a', display_type: 7, value: 1, max_value: 9 }];
    expect(normalize({ attributes })).toStrictEqual({
      document: { attributes: [{ trait_type: 'a', value: 1 }] },
      warnings: [expect.stringContaining('attributes[0].display_type')],
    });
  });

  test('drops locales and a default that are not strings', () => {
    const localization = { uri: 'a', default: 1, locales: ['en', null, 7] };
    const { document, warnings } = normalize({ localization });
    expect(document).toStrictEqual({ localization: { uri: 'a', locales: ['en'] } });
    expect(warnings).toHaveLength(2);
  });

  test('does not change its argument', () => {
    const json = Object.freeze({ image: 'a/{id}', properties: Object.freeze({ a: 1 }), attributes: [] });
    expect(normalize(json).document.image).toBe('a/1');
    expect(json.image).toBe('a/{id}');
  });
});

describe('SIP-016, JSON scheme of Metadata: {id} in any value', () => {
  const json = {
    name: 'Foo #{id}',
    description: 'No. {id} of {id}',
    image: 'ipfs://cid/{id}.png',
    attributes: [{ trait_type: 'no {id}', display_type: '{id}', value: '{id}' }],
    properties: { '{id}': '{id}', list: ['{id}', { deep: { deeper: 'a{id}' } }], number: 5, none: null },
    localization: { uri: 'ipfs://cid/{id}/{locale}.json', default: 'en-{id}', locales: ['en-{id}', 'de'] },
  };

  test('default', () => {
    expect(normalizeDocument(json, '101')).toStrictEqual({
      document: {
        name: 'Foo #101',
        description: 'No. 101 of 101',
        image: 'ipfs://cid/101.png',
        attributes: [{ trait_type: 'no 101', display_type: '101', value: '101' }],
        properties: { '{id}': '101', list: ['101', { deep: { deeper: 'a101' } }], number: 5, none: null },
        localization: { uri: 'ipfs://cid/101/{locale}.json', default: 'en-101', locales: ['en-101', 'de'] },
      },
      warnings: [],
    });
  });

  test('keeps the texts of a fungible token, which does not have an id', () => {
    const { document } = normalizeDocument(json, NO_NUMBER);
    expect(document).toStrictEqual({ ...json, image: 'ipfs://cid/1.png' });
  });

  test('keeps the host only in URIs that are fetched', () => {
    const uri = 'https://{id}.x.test/{id}';
    const { document } = normalizeDocument(
      { image: uri, localization: { uri, locales: [] }, properties: { external_url: uri } },
      '7',
    );
    expect(document.image).toBe('https://{id}.x.test/7');
    expect(document.localization?.uri).toBe('https://{id}.x.test/7');
    expect(document.properties).toEqual({ external_url: 'https://7.x.test/7' });
  });
});

describe('SIP-016, Graphical representation', () => {
  const svg = '<svg id="é{id}"/>';
  const uriOf = (text: string) => `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}`;

  test.each<[string, { [key: string]: JsonValue }, string | undefined]>([
    ['image first', { image: 'a', properties: { image_data: svg }, image_data: svg }, 'a'],
    ['then properties.image_data', { properties: { image_data: svg }, image_data: '<svg/>' }, uriOf('<svg id="é7"/>')],
    ['then image_data', { properties: {}, image_data: `\n${svg}` }, uriOf('<svg id="é7"/>')],
    ['the next one if one is empty', { image: '', properties: { image_data: '' }, image_data: '<a/>' }, uriOf('<a/>')],
    [
      'the next one if one is not a string',
      { properties: { image_data: { a: 1 } }, image_data: '<a/>' },
      uriOf('<a/>'),
    ],
    ['a URI for data', { properties: { image_data: ' ipfs://a/{id} ' } }, 'ipfs://a/7'],
    ['none', { properties: { image_data: 7 } }, undefined],
  ])('%s', (_, json, image) => {
    expect(normalizeDocument(json, '7').document.image).toBe(image);
  });
});

describe('servableLocales', () => {
  test('default', () => {
    const localization = { uri: 'a/{locale}', default: 'en', locales: ['en', 'pt-BR', 'en'] };
    expect(servableLocales(localization)).toEqual({ locales: ['en', 'pt-BR'], failures: new Map() });
  });

  test('SIP-016, JSON scheme of Metadata, locales: locale-invalid, keeps valid locales', () => {
    const bad = ['', '../../etc', 'en/US', 'x'.repeat(5_000)];
    const { locales, failures } = servableLocales({ uri: 'a', locales: ['en', ...bad, 'de'] });
    expect(locales).toEqual(['en', 'de']);
    expect([...failures.values()].map(({ code }) => code)).toEqual(bad.map(() => 'locale-invalid'));
    for (const { message } of failures.values()) expect(message.length).toBeLessThan(200);
  });
});
