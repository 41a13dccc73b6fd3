// Hostile metadata documents and token URIs, each with what is to come of it.
import type { FailureCode } from '#model/failure.ts';

/** What the status of a token says. */
export interface Outcome {
  /** Why there is no document; undefined where there is one. */
  readonly code?: FailureCode;
  /** Parts of `metadata`, which are there as they are here. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Of each locale that has a status of its own, `read` or why it has none. */
  readonly locales?: Readonly<Record<string, FailureCode | 'read'>>;
  /** What `?locale=` answers, by its value: the name, or undefined where it answers 422. */
  readonly names?: Readonly<Record<string, string | undefined>>;
  /** How many sentences of warning there are. */
  readonly warnings?: number;
}

export interface HostileDocument extends Outcome {
  readonly name: string;
  /** The token's URI; undefined where a server has the document. */
  readonly uri?: string;
  /** What the server answers. */
  readonly body?: string;
}

/** A document in the token's URI. */
function inline(name: string, document: string | Buffer, outcome: Outcome): HostileDocument {
  return { name, uri: `data:application/json;base64,${Buffer.from(document).toString('base64')}`, ...outcome };
}

/** A document at a server, where it is too long for a URI. */
function served(name: string, body: string, outcome: Outcome): HostileDocument {
  return { name, body, ...outcome };
}

function atUri(name: string, uri: string, outcome: Outcome): HostileDocument {
  return { name: `the URI ${name}`, uri, ...outcome };
}

const many = (count: number, text: string) => Array<string>(count).fill(text).join(',');
const nested = (depth: number) => `{"properties":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
const localized = (localization: unknown, more = {}) => JSON.stringify({ name: 'Base', ...more, localization });
const localeNames = (count: number) => Array.from({ length: count }, (_, index) => `l${index}`);
/** Each locale's document says its name. */
const NAMED = 'data:,{"name":"{locale}"}';
const readAll = (locales: readonly string[]) => Object.fromEntries(locales.map((locale) => [locale, 'read' as const]));
const ONE_HUNDRED_TIMES_COSTLY = localized({
  uri: `data:,{"properties":{"{locale}":[${many(330_000, '{}')}]}}`,
  locales: localeNames(100),
});

const TEXTS: readonly HostileDocument[] = [
  inline('a byte order mark', '\ufeff{"name":"a"}', { metadata: { name: 'a' } }),
  inline('two byte order marks', '\ufeff\ufeff{"name":"a"}', { metadata: { name: 'a' } }),
  inline('NUL characters in a text and in a key', '{"na\\u0000me":"a\\u0000b"}', { metadata: { name: 'ab' } }),
  inline('halves of surrogate pairs', '{"name":"\\ud800a\\udc00"}', { metadata: { name: '\ufffda\ufffd' } }),
  inline('raw control characters', `{"name":"\u0001\u001b[2J\u009b"}`, { metadata: { name: '\u0001\u001b[2J\u009b' } }),
  inline('a key given twice', '{"name":"a","name":"b"}', { metadata: { name: 'b' } }),
  inline('a key given 5,000 times', `{${many(5_000, '"name":"a"')}}`, { metadata: { name: 'a' } }),
  inline('a key __proto__', '{"__proto__":{"name":"x"},"description":"d"}', {
    metadata: { name: undefined, description: 'd' },
  }),
  inline('properties with a key __proto__', '{"properties":{"__proto__":{"a":1},"b":2}}', {
    metadata: { properties: JSON.parse('{"__proto__":{"a":1},"b":2}') },
  }),
  inline('properties named as methods', '{"properties":{"toString":1,"toJSON":{"a":1},"constructor":null}}', {
    metadata: { properties: { toString: 1, toJSON: { a: 1 }, constructor: null } },
  }),
  inline('a key then', '{"then":{"a":1},"name":"a"}', { metadata: { name: 'a' } }),
  inline('keys of a failure', '{"code":"bug","retryable":true,"message":"x","name":"a"}', { metadata: { name: 'a' } }),
  inline('JSON5', "{name:'a',/*x*/properties:{a:+.5,b:0xff,c:'\\\n',},}//", {
    metadata: { name: 'a', properties: { a: 0.5, b: 255, c: '' } },
  }),
  inline('line separators in a text of JSON5', "{name:'a\u2028b\u2029'}", { metadata: { name: 'a\u2028b\u2029' } }),
  inline('a quotation mark of the other kind', `{name:'"[{',properties:{a:"'}]"}}`, {
    metadata: { name: '"[{', properties: { a: "'}]" } },
  }),
  inline('brackets in comments', '{/*[[[{*/"name":"a"//]]]\n}', { metadata: { name: 'a' } }),
  inline('brackets behind a backslash', '{"name":"\\\\","properties":{"a":"\\"[[["}}', {
    metadata: { name: '\\', properties: { a: '"[[[' } },
  }),
  served('250,000 comments', `{name:'a'${'/**/'.repeat(249_000)}}`, { metadata: { name: 'a' } }),
  served('a megabyte of spaces', `{"name":"a"${' '.repeat(990_000)}}`, { metadata: { name: 'a' } }),
  inline('no byte', '', { code: 'empty-document' }),
  inline('white space', ' \r\n\t', { code: 'empty-document' }),
  inline('nothing but a byte order mark', '\ufeff', { code: 'empty-document' }),
  inline('Latin-1', Buffer.from('{"name":"é"}', 'latin1'), { code: 'not-text' }),
  inline('UTF-16', Buffer.from('\ufeff{"name":"a"}', 'utf16le'), { code: 'not-text' }),
  inline('a picture', Buffer.from('89504e470d0a1a0a', 'hex'), { code: 'not-text' }),
  inline('UTF-8 with too many bytes', Buffer.from('7b22c0af223a317d', 'hex'), { code: 'not-text' }),
  inline('a page', '<!DOCTYPE html><html></html>', { code: 'html-page' }),
  inline('a page without a type', '\n<HEAD><title>x</title>', { code: 'html-page' }),
  served('a page with 30,000 values in it', `<html><script>[${many(30_000, '{}')}]</script></html>`, {
    code: 'html-page',
  }),
  inline('an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', { code: 'not-json' }),
  inline('two documents', '{}{}', { code: 'not-json' }),
  inline('a document cut off', '{"name":"a', { code: 'not-json' }),
  inline('a comment that does not end', '{"name":"a"}/*', { code: 'not-json' }),
  inline('a call', 'callback({"name":"a"})', { code: 'not-json' }),
  inline('a guard against scripts', ')]}\'\n{"name":"a"}', { code: 'not-json' }),
  inline('an escape that is none', '{"name":"\\u00"}', { code: 'not-json' }),
  inline('YAML', 'name: a\n', { code: 'not-json' }),
  served('500,000 open brackets', '['.repeat(500_000), { code: 'not-json' }),
  ...['null', 'true', '7', '"name"', '[{"name":"a"}]', 'NaN'].map((text) =>
    inline(`not an object: ${text}`, text, { code: 'not-an-object' }),
  ),
];

const COSTS: readonly HostileDocument[] = [
  inline('64 levels', nested(64), { warnings: 1 }),
  inline('65 levels', nested(65), { code: 'too-deep' }),
  served('100,000 levels', nested(100_000), { code: 'too-deep' }),
  served('100,000 levels of JSON5', `${'{a:'.repeat(100_000)}1${'}'.repeat(100_000)}`, { code: 'too-deep' }),
  served('9,000 values', `{"properties":{"a":[${many(9_000, '{}')}]}}`, {
    metadata: { properties: { a: Array(9_000).fill({}) } },
  }),
  served('330,000 objects', `{"properties":{"a":[${many(330_000, '{}')}]}}`, { code: 'too-many-values' }),
  served('300,000 lists of JSON5', `{properties:{a:[${many(300_000, '[]')}]}}`, { code: 'too-many-values' }),
  served('490,000 numbers', `{"properties":{"a":[${many(490_000, '1')}]}}`, { code: 'too-many-values' }),
  served('100,000 attributes', `{"attributes":[${many(100_000, '{}')}]}`, { code: 'too-many-values' }),
  served('90,000 keys', `{"properties":{${localeNames(90_000).map((key) => `"${key}":0`)}}}`, {
    code: 'too-many-values',
  }),
  served('6,000 attributes', `{"attributes":[${many(6_000, '{"trait_type":"a","value":1}')}]}`, {
    metadata: { attributes: Array(6_000).fill({ trait_type: 'a', value: 1 }) },
  }),
  served('6,000 attributes that are none', `{"attributes":[${many(6_000, '{"value":1}')}]}`, {
    metadata: { attributes: [] },
    warnings: 50,
  }),
  served('a description of a megabyte', JSON.stringify({ description: 'd'.repeat(990_000) }), {
    metadata: { description: 'd'.repeat(990_000) },
  }),
  served('a name of a megabyte beyond Latin-1', JSON.stringify({ name: '\u4e00'.repeat(330_000) }), {
    metadata: { name: '\u4e00'.repeat(330_000) },
  }),
  served('control characters that JSON writes with six', `{name:'${'\u0001'.repeat(900_000)}'}`, {
    metadata: { name: '\u0001'.repeat(900_000) },
  }),
  served('a key of a megabyte', `{"${'k'.repeat(990_000)}":1,"name":"a"}`, { metadata: { name: 'a' } }),
  served('a number of a megabyte', `{"name":"a","sip":${'9'.repeat(900_000)}}`, {
    metadata: { name: 'a', sip: 16 },
  }),
  served('more than a megabyte', JSON.stringify({ description: 'd'.repeat(1_100_000) }), { code: 'too-large' }),
];

const FIELDS: readonly HostileDocument[] = [
  ...['{}', '[1]', '7', 'null', 'true'].map((value) =>
    inline(`a name that is ${value}`, `{"name":${value},"description":"d"}`, {
      metadata: { name: undefined, description: 'd' },
      warnings: 1,
    }),
  ),
  inline('numbers that JSON cannot write', '{"properties":{"a":1e999,"b":[-1e999,2],"c":1e308}}', {
    metadata: { properties: { b: [2], c: 1e308 } },
  }),
  inline('a number that is no double', '{"properties":{"a":9007199254740993,"b":-0}}', {
    metadata: { properties: { a: 9007199254740992, b: 0 } },
  }),
  ...['16.5', '"16"', '1e300', '[]'].map((sip) =>
    inline(`a sip that is ${sip}`, `{"sip":${sip}}`, { metadata: { sip: 16 }, warnings: 1 }),
  ),
  inline('an attribute that is an infinity', '{"attributes":[{"trait_type":"a","value":1e999}]}', {
    metadata: { attributes: [] },
    warnings: 1,
  }),
  inline(
    'attributes of all kinds',
    '{"attributes":[null,[],1,{"trait_type":{},"value":1},{"trait_type":"a","value":0}]}',
    {
      metadata: { attributes: [{ trait_type: 'a', value: 0 }] },
      warnings: 4,
    },
  ),
  inline('attributes that are an object', '{"attributes":{"length":9}}', { warnings: 1 }),
  inline('properties that are a list', '{"properties":[1]}', { warnings: 1 }),
  inline('a localization that is a list', '{"localization":[]}', { warnings: 1 }),
  inline('locales that are an object', '{"localization":{"uri":"a","locales":{"length":9}}}', { warnings: 1 }),
  inline('an image that is a script', '{"image":"javascript:alert(1)"}', {
    metadata: { image: 'javascript:alert(1)' },
  }),
  served('an image with 10,000 templates', `{"image":"${'{id}$TOKEN_ID'.repeat(10_000)}"}`, {
    metadata: { image: '11'.repeat(10_000) },
  }),
  inline('a template in a template', '{"image":"{{id}d}$$TOKEN_IDTOKEN_ID"}', {
    metadata: { image: '{1d}$1TOKEN_ID' },
  }),
];

const LOCALES: readonly HostileDocument[] = [
  inline('locales that differ by case alone', localized({ uri: NAMED, locales: ['en', 'EN', 'eN', 'de'] }), {
    locales: { en: 'read', EN: 'locale-repeated', eN: 'locale-repeated', de: 'read' },
    names: { en: 'en', EN: undefined, eN: undefined, de: 'de' },
  }),
  inline(
    'a default that differs from a locale by case alone',
    localized({ uri: NAMED, default: 'EN', locales: ['en'] }),
    {
      locales: { en: 'locale-repeated' },
      names: { EN: 'Base', en: undefined },
    },
  ),
  inline('locales that fold by hyphens too', localized({ uri: NAMED, locales: ['pt-BR', 'pt_BR', 'PT-br'] }), {
    locales: { 'pt-BR': 'read', pt_BR: 'read', 'PT-br': 'locale-repeated' },
    names: { 'pt-BR': 'pt-BR', pt_BR: 'pt_BR', 'PT-br': undefined },
  }),
  inline('a default that is no locale', localized({ uri: NAMED, default: '../x', locales: ['en'] }), {
    locales: { '../x': 'locale-invalid', en: 'read' },
    names: { en: 'en' },
  }),
  inline(
    'locales that are paths',
    localized({ uri: NAMED, locales: ['../../etc', '', '/', 'en/US', '__proto__', 'de'] }),
    {
      locales: JSON.parse(
        '{"../../etc":"locale-invalid","":"locale-invalid","/":"locale-invalid","en/US":"locale-invalid",' +
          '"__proto__":"locale-invalid","de":"read"}',
      ),
      names: { de: 'de' },
    },
  ),
  inline('locales that are no texts', localized({ uri: NAMED, locales: [null, 7, ['en'], 'de'] }), {
    locales: { de: 'read' },
    warnings: 1,
  }),
  inline('101 locales', localized({ uri: NAMED, locales: localeNames(101) }), {
    locales: { ...readAll(localeNames(100)), l100: 'too-many-locales' },
    names: { l99: 'l99', l100: undefined },
  }),
  inline('5,000 locales', localized({ uri: NAMED, locales: localeNames(5_000) }), {
    locales: { ...readAll(localeNames(100)), l100: 'too-many-locales' },
  }),
  inline('a locale given 5,000 times', localized({ uri: NAMED, locales: Array(5_000).fill('en') }), {
    locales: { en: 'read' },
  }),
  inline('a localization URI without a place', localized({ uri: 'data:,{}', locales: ['en'] }), {
    locales: { en: 'no-locale-placeholder' },
    names: { en: 'Base' },
  }),
  inline(
    'a localized document that localizes',
    localized({ uri: `data:,${localized({ uri: NAMED, locales: ['{locale}'] })}`, locales: ['en'] }),
    {
      locales: { en: 'read' },
      names: { en: 'Base' },
    },
  ),
  inline(
    'localized properties with a key __proto__',
    localized({ uri: 'data:,{"properties":{"__proto__":{"{locale}":1}}}', locales: ['en'] }),
    {
      metadata: { properties: undefined },
      locales: { en: 'read' },
    },
  ),
  inline('localized documents that are none', localized({ uri: 'data:,[{locale}', locales: ['en', 'de'] }), {
    locales: { en: 'not-json', de: 'not-json' },
  }),
  inline(
    'a localization URI of a scheme that is none',
    localized({ uri: 'file:///etc/{locale}', locales: ['passwd'] }),
    {
      locales: { passwd: 'unsupported-scheme' },
    },
  ),
  served(
    '100 locales in a document of 200 KB',
    localized({ uri: NAMED, locales: localeNames(100) }, { description: 'd'.repeat(200_000) }),
    {
      locales: Object.fromEntries(
        localeNames(100).map((locale, at) => [locale, at < 19 ? 'read' : 'too-many-locales']),
      ),
      names: { l18: 'l18', l19: undefined },
    },
  ),
  served(
    'localized documents that are a multiple of their URI',
    localized({
      uri: `data:,{"name":"${'{locale}'.repeat(4_000)}"}`,
      locales: localeNames(99).map((locale) => `${locale}-abcdefgh-abcdefgh-abcdefgh`),
    }),
    {
      locales: Object.fromEntries(
        localeNames(99).map((locale) => [`${locale}-abcdefgh-abcdefgh-abcdefgh`, 'too-large']),
      ),
    },
  ),
  served('100 locales with 330,000 objects each', ONE_HUNDRED_TIMES_COSTLY, {
    locales: Object.fromEntries(
      localeNames(100).map((locale, at) => [locale, at < 4 ? 'too-many-values' : 'too-many-locales']),
    ),
    names: { l3: 'Base', l4: undefined },
  }),
];

const URIS: readonly HostileDocument[] = [
  atUri('with no data', 'data:,', { code: 'empty-document' }),
  atUri('with no comma', 'data:application/json', { code: 'data-uri-invalid' }),
  atUri('with raw JSON', 'data:application/json,{"name":"a#b%c"}', { metadata: { name: 'a#b%c' } }),
  atUri('percent-encoded', 'data:,%7B%22name%22%3A%22%61%22%7D', { metadata: { name: 'a' } }),
  atUri('in capitals', 'DATA:;BASE64,eyJuYW1lIjoiYSJ9', { metadata: { name: 'a' } }),
  atUri('with spaces', '  data: ; base64 ,eyJu YW1l IjoiYSJ9  ', { metadata: { name: 'a' } }),
  atUri('percent-encoded in base64', 'data:;base64,eyJuYW1lIjoiYSJ9%20', { metadata: { name: 'a' } }),
  atUri('unpadded', 'data:;base64,eyJuYW1lIjoiYWIifQ', { metadata: { name: 'ab' } }),
  atUri('with many parameters', 'data:a/b;charset=utf-16;x=";";utf8;base64,eyJuYW1lIjoiYSJ9', {
    metadata: { name: 'a' },
  }),
  atUri('with base64 that is none', 'data:;base64,{"name":"a"}', { code: 'data-uri-invalid' }),
  atUri('with bytes that are no text', 'data:;base64,/////w==', { code: 'not-text' }),
  atUri('with text beyond ASCII', 'data:,{"name":"\u00dc \u{1f680}"}', { metadata: { name: '\u00dc \u{1f680}' } }),
  atUri('with a template', 'data:,{"name":"{id} {ID} $token_id"}', { metadata: { name: '1 1 1' } }),
  atUri('that is empty', '', { code: 'empty-uri' }),
  atUri('that is white space', '   ', { code: 'empty-uri' }),
  atUri('that is a tag', '<link to token-uri>', { code: 'not-a-uri' }),
  atUri('that is a path', '/etc/passwd', { code: 'not-a-uri' }),
  atUri('that has no host', 'http://', { code: 'not-a-uri' }),
  atUri('with half an address', 'http://[::1', { code: 'not-a-uri' }),
  atUri('of a script', 'javascript:alert(1)', { code: 'unsupported-scheme' }),
  atUri('of a file', 'file:///etc/passwd', { code: 'unsupported-scheme' }),
  atUri('of FTP', 'ftp://example.org/a.json', { code: 'unsupported-scheme' }),
  atUri('of a private address', 'http://169.254.169.254/latest', { code: 'address-refused' }),
  atUri('of a private address as a number', 'http://2130706433/', { code: 'address-refused' }),
  atUri('of a port that is none of the web', 'http://127.0.0.1:22/', { code: 'port-refused' }),
  atUri('with a password', 'https://a:b@example.org/', { code: 'credentials-refused' }),
];

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [...TEXTS, ...COSTS, ...FIELDS, ...LOCALES, ...URIS];

/** Documents that many tokens share, by how many do: together they cost more than any alone. */
export const HOSTILE_GROUPS: readonly (readonly [count: number, HostileDocument])[] = [
  [
    60,
    served('330,000 objects, shared', `{"properties":{"a":[${many(330_000, '{}')}]}}`, {
      code: 'too-many-values',
    }),
  ],
  [40, served('a megabyte, shared', JSON.stringify({ description: 'd'.repeat(990_000) }), {})],
  [20, served('9,000 values, shared', `{"properties":{"a":[${many(9_000, '{}')}]}}`, {})],
  [4, served('100 locales with 330,000 objects each, shared', ONE_HUNDRED_TIMES_COSTLY, {})],
];
