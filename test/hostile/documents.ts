// Defines hostile metadata documents and the expected results. Hostile texts and URIs are in the tests of test/sip-016
// and test/uri.
import type { FailureCode } from '#model/failure.ts';

/** The expected status and response of the document's token. */
export interface Outcome {
  /** The failure code of the document; undefined if the document is accepted. */
  readonly code?: FailureCode;
  /** Members that `metadata` must contain with these values. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The failure code of each locale with a status, or `read` if the locale's document is accepted. */
  readonly locales?: Readonly<Record<string, FailureCode | 'read'>>;
  /** The name in the response to `?locale=`, by locale. Undefined if the response has status 422. */
  readonly names?: Readonly<Record<string, string | undefined>>;
  /** The number of warnings about the document. */
  readonly warnings?: number;
}

export interface HostileDocument extends Outcome {
  readonly name: string;
  /** The token's URI, which contains the document; undefined if a server sends the document. */
  readonly uri?: string;
  /** The document that the server sends; undefined if it is in the URI. */
  readonly body?: string;
}

/** Returns a case whose document is in the token's URI. */
function inline(name: string, document: string, outcome: Outcome): HostileDocument {
  return { name, uri: `data:application/json;base64,${Buffer.from(document).toString('base64')}`, ...outcome };
}

/** Returns a case whose document comes from a server, since it is too long for a URI. */
function served(name: string, body: string, outcome: Outcome): HostileDocument {
  return { name, body, ...outcome };
}

/** Returns cases that are refused with the same failure code. The keys of `bodies` are their names. */
const refused = (code: FailureCode, bodies: Readonly<Record<string, string>>) =>
  Object.entries(bodies).map(([name, body]) => served(name, body, { code }));

/** Returns cases that are accepted, with the expected members of `metadata`. The keys of `bodies` are their names. */
const read = (bodies: Readonly<Record<string, readonly [body: string, metadata: object]>>) =>
  Object.entries(bodies).map(([name, [body, metadata]]) => served(name, body, { metadata: { ...metadata } }));

const many = (count: number, text: string) => Array<string>(count).fill(text).join(',');
const nested = (depth: number) => `{"properties":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const localized = (localization: unknown, more = {}) => JSON.stringify({ name: 'Base', ...more, localization });
const localeNames = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
/** The URI of localized documents. The name in each document is its locale. */
const NAMED = 'data:,{"name":"{locale}"}';
const codesOf = (count: number, codeAt: (at: number) => FailureCode | 'read') =>
  Object.fromEntries(localeNames(count).map((locale, at) => [locale, codeAt(at)]));
const OBJECTS = `{"properties":{"a":[${many(330_000, '{}')}]}}`;
const ONE_HUNDRED_TIMES_COSTLY = localized({
  uri: `data:,{"properties":{"{locale}":[${many(330_000, '{}')}]}}`,
  locales: localeNames(100),
});
const MEGABYTE = 'd'.repeat(990_000);
const CONTROLS = '\u0001'.repeat(90_000);
const CHINESE = '\u4e00'.repeat(330_000);

const COSTS: readonly HostileDocument[] = [
  ...refused('html-page', {
    'a page with 30,000 values': `<html><script>[${many(30_000, '{}')}]</script></html>`,
  }),
  ...refused('too-deep', { '100,000 levels': nested(100_000) }),
  ...refused('too-many-values', {
    '330,000 objects': OBJECTS,
    '490,000 numbers': `{"properties":{"a":[${many(490_000, '1')}]}}`,
    '100,000 attributes': `{"attributes":[${many(100_000, '{}')}]}`,
    '90,000 keys': `{"properties":{${localeNames(90_000).map((key) => `"${key}":0`)}}}`,
  }),
  ...refused('too-large', { 'more than a megabyte': JSON.stringify({ description: 'd'.repeat(1_100_000) }) }),
  ...read({
    '24,000 comments': [`{name:'a'${'/**/'.repeat(24_000)}}`, { name: 'a' }],
    'a megabyte of spaces': [`{"name":"a"${' '.repeat(990_000)}}`, { name: 'a' }],
    '9,000 values': [`{"properties":{"a":[${many(9_000, '{}')}]}}`, { properties: { a: Array(9_000).fill({}) } }],
    '6,000 attributes': [
      `{"attributes":[${many(6_000, '{"trait_type":"a","value":1}')}]}`,
      { attributes: Array(6_000).fill({ trait_type: 'a', value: 1 }) },
    ],
    'a description of a megabyte': [JSON.stringify({ description: MEGABYTE }), { description: MEGABYTE }],
    'a name of a megabyte beyond Latin-1': [JSON.stringify({ name: CHINESE }), { name: CHINESE }],
    'control characters that JSON escapes with six': [`{name:'${CONTROLS}'}`, { name: CONTROLS }],
    'a key of a megabyte': [`{"${'k'.repeat(990_000)}":1,"name":"a"}`, { name: 'a' }],
    'a number of a megabyte': [`{"name":"a","sip":${'9'.repeat(900_000)}}`, { name: 'a', sip: 16 }],
    'an image with 10,000 templates': [`{"image":"${'{id}$TOKEN_ID'.repeat(10_000)}"}`, { image: '11'.repeat(10_000) }],
    'a key then': ['{"then":{"a":1},"name":"a"}', { name: 'a' }],
    'a key __proto__': ['{"__proto__":{"name":"x"},"description":"d"}', { name: undefined, description: 'd' }],
    'properties with a key __proto__': [
      '{"properties":{"__proto__":{"a":1},"b":2}}',
      { properties: JSON.parse('{"__proto__":{"a":1},"b":2}') },
    ],
    'numbers that JSON cannot represent': [
      '{"properties":{"a":1e999,"b":[-1e999,2],"c":1e308,"d":9007199254740993,"e":-0}}',
      { properties: { b: [2], c: 1e308, d: 9007199254740992, e: 0 } },
    ],
  }),
  served('6,000 invalid attributes', `{"attributes":[${many(6_000, '{"value":1}')}]}`, {
    metadata: { attributes: [] },
    warnings: 50,
  }),
  inline('an infinite attribute', '{"attributes":[{"trait_type":"a","value":1e999}]}', {
    metadata: { attributes: [] },
    warnings: 1,
  }),
];

const PATHS = ['../../etc', '', '/', 'en/US', '__proto__'];
const LOCALIZING = `data:,${localized({ uri: NAMED, locales: ['{locale}'] })}`;
const WITH_PROTO = 'data:,{"properties":{"__proto__":{"{locale}":1}}}';
const LARGE_WITH_LOCALES = localized({ uri: NAMED, locales: localeNames(100) }, { description: 'd'.repeat(25_000) });

const LOCALES: readonly HostileDocument[] = [
  inline('locales that differ only by case', localized({ uri: NAMED, locales: ['en', 'EN', 'eN', 'de'] }), {
    locales: { en: 'read', EN: 'locale-repeated', eN: 'locale-repeated', de: 'read' },
    names: { en: 'en', EN: undefined, eN: undefined, de: 'de' },
  }),
  inline('a default that differs only by case', localized({ uri: NAMED, default: 'EN', locales: ['en'] }), {
    locales: { en: 'locale-repeated' },
    names: { EN: 'Base', en: undefined },
  }),
  inline('locales that differ by case or by hyphens', localized({ uri: NAMED, locales: ['pt-BR', 'pt_BR', 'PT-br'] }), {
    locales: { 'pt-BR': 'read', pt_BR: 'read', 'PT-br': 'locale-repeated' },
    names: { 'pt-BR': 'pt-BR', pt_BR: 'pt_BR', 'PT-br': undefined },
  }),
  inline('an invalid default locale', localized({ uri: NAMED, default: '../x', locales: ['en'] }), {
    locales: { '../x': 'locale-invalid', en: 'read' },
    names: { en: 'en' },
  }),
  inline('locales that are paths', localized({ uri: NAMED, locales: [...PATHS, 'de'] }), {
    locales: Object.fromEntries([...PATHS.map((path) => [path, 'locale-invalid'] as const), ['de', 'read'] as const]),
    names: { de: 'de' },
  }),
  served('150 locales', localized({ uri: NAMED, locales: localeNames(150) }), {
    locales: codesOf(101, (at) => (at < 100 ? 'read' : 'too-many-locales')),
    names: { l99: 'l99', l100: undefined },
  }),
  inline('a localized document that localizes', localized({ uri: LOCALIZING, locales: ['en'] }), {
    locales: { en: 'read' },
    names: { en: 'Base' },
  }),
  inline('localized properties with a key __proto__', localized({ uri: WITH_PROTO, locales: ['en'] }), {
    metadata: { properties: undefined },
    locales: { en: 'read' },
  }),
  inline(
    'a localization URI with an unsupported scheme',
    localized({ uri: 'file:///etc/{locale}', locales: ['passwd'] }),
    {
      locales: { passwd: 'unsupported-scheme' },
    },
  ),
  served('100 locales in a document of 25 KB', LARGE_WITH_LOCALES, {
    locales: codesOf(100, (at) => (at < 19 ? 'read' : 'too-many-locales')),
    names: { l18: 'l18', l19: undefined },
  }),
  served('100 locales with 330,000 objects each', ONE_HUNDRED_TIMES_COSTLY, {
    locales: codesOf(100, () => 'too-many-locales'),
    names: { l0: undefined },
  }),
];

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [...COSTS, ...LOCALES];

/**
 * Documents that many tokens share, each with the number of its tokens. Together they cost more than any single
 * document.
 */
export const HOSTILE_GROUPS: readonly (readonly [count: number, HostileDocument])[] = [
  [60, served('330,000 objects, shared', OBJECTS, { code: 'too-many-values' })],
  [40, served('a megabyte, shared', JSON.stringify({ description: MEGABYTE }), {})],
  [20, served('9,000 values, shared', `{"properties":{"a":[${many(9_000, '{}')}]}}`, {})],
  [4, served('100 locales with 330,000 objects each, shared', ONE_HUNDRED_TIMES_COSTLY, {})],
];
