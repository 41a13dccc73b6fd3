import { expect, test, vi } from 'vitest';
import { isFailure } from '#model/failure.ts';
import { parseDocument } from '#sip-016/parse-document.ts';

const parse = (text: string) => {
  const parsed = parseDocument(Buffer.from(text));
  return isFailure(parsed) ? parsed : parsed.json;
};

test('default', () => {
  expect(parse('{"name":"Token","properties":{"a":null,"b":[1,false,""]}}')).toEqual({
    name: 'Token',
    properties: { a: null, b: [1, false, ''] },
  });
});

test.each([
  ['a byte order mark', '\ufeff{"name":"a"}', { name: 'a' }],
  ['surrounding white space', '\n {"name":"a"} \n', { name: 'a' }],
  ['a trailing comma', '{"name":"a",}', { name: 'a' }],
  ['comments', '{/* x */"name":"a"// y\n}', { name: 'a' }],
  ['single quotes and bare keys', "{name:'a'}", { name: 'a' }],
  ['a line break in a string', "{name:'a\\\nb'}", { name: 'ab' }],
  ['NUL characters in values', '{"name":"a\\u0000b","list":["\\u0000"]}', { name: 'ab', list: [''] }],
  ['NUL characters in keys', '{"na\\u0000me":"a"}', { name: 'a' }],
  ['numbers that JSON cannot write', '{a:NaN,b:-Infinity,c:[1,NaN,2]}', { c: [1, 2] }],
  ['an empty object', '{}', {}],
  ['a repeated key', '{"name":"a","name":"b"}', { name: 'b' }],
  ['a key repeated 5,000 times', `{${Array(5_000).fill('"name":"a"').join(',')}}`, { name: 'a' }],
  ['text beyond ASCII', '{"name":"Ünï 🚀"}', { name: 'Ünï 🚀' }],
  ['two byte order marks', '\ufeff\ufeff{"name":"a"}', { name: 'a' }],
  ['unpaired surrogates', '{"name":"\\ud800a\\udc00"}', { name: '\ufffda\ufffd' }],
  ['raw control characters', '{"name":"\u0001\u001b[2J\u009b"}', { name: '\u0001\u001b[2J\u009b' }],
  ['numbers of JSON5', '{a:+.5,b:0xff}', { a: 0.5, b: 255 }],
  ['keys named as methods', '{"toString":1,"toJSON":{"a":1}}', { toString: 1, toJSON: { a: 1 } }],
  ['a quotation mark inside the other kind', `{name:'"[{',a:"'}]"}`, { name: '"[{', a: "'}]" }],
  ['brackets in comments', '{/*[[[{*/"name":"a"//]]]\n}', { name: 'a' }],
  ['brackets after a backslash', '{"name":"\\\\","a":"\\"[[["}', { name: '\\', a: '"[[[' }],
])('reads %s', (_, text, expected) => {
  expect(parse(text)).toEqual(expected);
});

test('reads __proto__ as an ordinary key', () => {
  for (const text of ['{"__proto__":{"name":"x"}}', "{__proto__:{name:'x'}}"]) {
    const document = parse(text);
    expect(Object.keys(document)).toEqual(['__proto__']);
    expect(document).not.toHaveProperty('name');
  }
});

test('keeps line separators in a string, and does not print a warning', () => {
  const warn = vi.spyOn(console, 'warn');
  expect(parse("{name:'a\u2028b\u2029c',d:'e\\\u2028f',g:'\\\\\u2028'}")).toEqual({
    name: 'a\u2028b\u2029c',
    d: 'ef',
    g: '\\\u2028',
  });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('does not mistake a document with a key failure for a failure', () => {
  const parsed = parseDocument(Buffer.from('{"failure":"bug","message":"x","name":"Token"}'));
  expect(isFailure(parsed)).toBe(false);
});

test.each(['{"error":"x","name":"a"}', '{"title":"a","type":"b"}', '{}', '{"code":1,"image":""}'])(
  'reads %s as a document, not as an error',
  (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  },
);

test('reads 64 levels', () => {
  expect(isFailure(parse(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`))).toBe(false);
});

test.each([
  ['a string', JSON.stringify({ a: '{[,'.repeat(100_000) }), 1],
  ['9,000 objects', `{"a":[${Array(9_000).fill('{}').join(',')}]}`, 9_000],
])('does not count commas and brackets in %s as values', (_, text, items) => {
  const { a } = parse(text) as { a: unknown };
  expect(Array.isArray(a) ? a.length : 1).toBe(items);
});

test.each([
  ['empty-document', 'no bytes', ''],
  ['empty-document', 'white space', ' \r\n\t'],
  ['empty-document', 'a byte order mark', '\ufeff'],
  ['html-page', 'a page with status 200', '<!DOCTYPE html><html><body>Not found</body></html>'],
  ['html-page', 'a page in small letters', '\n<html lang="en">'],
  ['html-page', 'a page without a document type', '\n<HEAD><title>x</title>'],
  ['not-json', 'a text', 'Not found'],
  ['not-json', 'a call', 'callback({"name":"a"})'],
  ['not-json', 'a guard against scripts', ')]}\'\n{"name":"a"}'],
  ['not-json', 'an invalid escape', '{"name":"\\u00"}'],
  ['not-json', 'an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ['not-json', 'a truncated document', '{"name":"a'],
  ['not-json', 'two documents', '{}{}'],
  ['error-document', 'the error of a gateway', '{"error":"no link named \\"1.json\\""}'],
  ['error-document', 'the error of Kubo', '{"Message":"no link named","Code":0,"Type":"error"}'],
  [
    'error-document',
    'the error of a framework',
    '{"statusCode":404,"message":"Not Found","error":{"a":1},"request_id":"x"}',
  ],
  ['not-an-object', 'null', 'null'],
  ['not-an-object', 'a list', '[{"name":"a"}]'],
  ['not-an-object', 'a string', '"name"'],
  ['not-an-object', 'a number', '7'],
  ['not-an-object', 'NaN', 'NaN'],
  ['too-deep', '65 levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`],
  ['too-deep', '20,000 levels of JSON5', `${'{a:'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  ['too-many-values', '30,000 lists of JSON5', `{a:[${'[],'.repeat(30_000)}]}`],
  ['not-json', 'JSON5 of more than 100,000 characters', `{name:'${'a'.repeat(100_000)}'}`],
  [
    'too-many-values',
    '25,000 keys',
    JSON.stringify(Object.fromEntries(Array.from({ length: 25_000 }, (_, at) => [`k${at}`, 1]))),
  ],
  ['html-page', 'a page with 330,000 brackets', `<html>${'{},'.repeat(330_000)}</html>`],
  ['not-json', 'a truncated list', `{"a":[${'{},'.repeat(330_000)}`],
  ['not-json', 'a megabyte of open brackets', '['.repeat(1_000_000)],
  ['not-json', 'a comment of a megabyte without an end', `/*${'*'.repeat(1_000_000)}`],
])('SIP-016, Return Value of Metadata URI Functions: %s, %s', (code, _, text) => {
  expect(parse(text)).toMatchObject({ code });
});

test.each([
  ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['Latin-1', Buffer.from('{"name":"é"}', 'latin1')],
  ['an overlong UTF-8 sequence', Buffer.from('7b22c0af223a317d', 'hex')],
  ['UTF-16', Buffer.from('\ufeff{"name":"a"}', 'utf16le')],
])('reports not-text, %s', (_, bytes) => {
  expect(parseDocument(bytes)).toMatchObject({ code: 'not-text' });
});
