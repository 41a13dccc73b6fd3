import { expect, test } from 'vitest';
import type { MetadataDocument } from '#model/metadata.ts';
import { overlayLocale } from '#sip-016/overlay-locale.ts';

const BASE: MetadataDocument = {
  sip: 16,
  name: 'Token',
  description: 'A token',
  image: 'a.png',
  attributes: [{ trait_type: 'a', value: 1 }],
  properties: { collection: 'C', nested: { a: 1, b: 2 } },
  localization: { uri: 'x/{locale}', default: 'en', locales: ['en', 'de'] },
};

test('SIP-016, Localization: replaces fields and attributes, and merges properties', () => {
  const localized: MetadataDocument = {
    name: 'Münze',
    description: 'Eine Münze',
    image: 'de.png',
    attributes: [{ trait_type: 'b', value: 2 }],
    properties: { collection: 'D' },
  };
  expect(overlayLocale(BASE, localized)).toStrictEqual({
    ...localized,
    sip: 16,
    properties: { collection: 'D', nested: { a: 1, b: 2 } },
    localization: BASE.localization,
  });
});

test.each<[string, MetadataDocument, Partial<MetadataDocument>]>([
  ['an empty localized document', {}, {}],
  ['an empty list of attributes', { attributes: [] }, {}],
  ['empty properties', { properties: {} }, {}],
  ['only a name', { name: 'Münze' }, { name: 'Münze' }],
  [
    'a property that replaces another one completely',
    { properties: { nested: { a: 3 } } },
    { properties: { collection: 'C', nested: { a: 3 } } },
  ],
  [
    'a property that is null',
    { properties: { collection: null } },
    { properties: { collection: null, nested: { a: 1, b: 2 } } },
  ],
  ['an ignored sip and localization', { sip: 9, localization: { uri: 'y', locales: [] } }, {}],
])('SIP-016, Localization: overlays %s', (_, localized, expected) => {
  expect(overlayLocale(BASE, localized)).toStrictEqual({ ...BASE, ...expected });
});

test('SIP-016, Localization: adds fields that the default lacks', () => {
  expect(overlayLocale({}, { name: 'a', properties: { b: 1 } })).toStrictEqual({ name: 'a', properties: { b: 1 } });
});

test('does not change its arguments', () => {
  const base = structuredClone(BASE);
  const localized: MetadataDocument = { name: 'b', properties: { collection: 'D', more: true } };
  const copy = structuredClone(localized);
  overlayLocale(base, localized);
  expect(base).toStrictEqual(BASE);
  expect(localized).toStrictEqual(copy);
});
