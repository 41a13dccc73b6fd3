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

test('default: SIP-016, Localization: replaces fields and attributes, and merges properties', () => {
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
  ['nothing localized', {}, {}],
  ['no attribute localized', { attributes: [] }, {}],
  ['no property localized', { properties: {} }, {}],
  ['a name alone', { name: 'Münze' }, { name: 'Münze' }],
  [
    'a property is replaced as a whole',
    { properties: { nested: { a: 3 } } },
    { properties: { collection: 'C', nested: { a: 3 } } },
  ],
  [
    'null is a property',
    { properties: { collection: null } },
    { properties: { collection: null, nested: { a: 1, b: 2 } } },
  ],
  ['sip and localization stay', { sip: 9, localization: { uri: 'y', locales: [] } }, {}],
])('behavior: SIP-016, Localization: %s', (_, localized, expected) => {
  expect(overlayLocale(BASE, localized)).toStrictEqual({ ...BASE, ...expected });
});

test('behavior: SIP-016, Localization: adds what the default does not have', () => {
  expect(overlayLocale({}, { name: 'a', properties: { b: 1 } })).toStrictEqual({ name: 'a', properties: { b: 1 } });
});

test('behavior: both documents stay as they are', () => {
  const base = structuredClone(BASE);
  const localized: MetadataDocument = { name: 'b', properties: { collection: 'D', more: true } };
  const copy = structuredClone(localized);
  overlayLocale(base, localized);
  expect(base).toStrictEqual(BASE);
  expect(localized).toStrictEqual(copy);
});
