import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDataUri } from '#uri/read-data-uri.ts';

/** Returns the text in a data URI, or the failure of reading it. */
function read(uri: string): unknown {
  const result = readDataUri(uri);
  return result instanceof Uint8Array ? Buffer.from(result).toString('utf8') : result;
}

test('default', () => {
  expect(read('data:application/json;base64,eyJhIjoxfQ==')).toBe('{"a":1}');
  expect(read('data:application/json,{"a":1}')).toBe('{"a":1}');
});

test.each([
  ['a missing media type', 'data:,abc', 'abc'],
  ['empty data', 'data:,', ''],
  ['parameters in between', 'data:application/json;charset=utf-8;name=a.json;base64,eyJhIjoxfQ==', '{"a":1}'],
  ['base64 before another parameter', 'data:application/json;base64;charset=utf-8,eyJhIjoxfQ==', '{"a":1}'],
  ['base64 in capitals, with a space', 'data:application/json; BASE64,eyJhIjoxfQ==', '{"a":1}'],
  ['a media type named base64', 'data:base64,YQ==', 'YQ=='],
  ['a scheme in capitals', 'DATA:,abc', 'abc'],
  ['percent-encoding', 'data:application/json;utf8,%7B%22a%22%3A%22%C3%A9%22%7D', '{"a":"é"}'],
  ['unencoded text beyond ASCII', 'data:,é🚀', 'é🚀'],
  ['a number sign, question mark and comma in the data', 'data:,{"color":"#fff?","b":1}', '{"color":"#fff?","b":1}'],
  ['a percent sign without hex digits', 'data:,100% of %zz %4', '100% of %zz %4'],
  ['an encoded percent sign', 'data:,%2541', '%41'],
  ['a plus sign', 'data:,a+b', 'a+b'],
  ['a quoted parameter', 'data:a/b;charset=utf-16;x=";";utf8;base64,eyJhIjoxfQ==', '{"a":1}'],
  ['spaces everywhere', 'data: ; base64 ,eyJh IjoxfQ==', '{"a":1}'],
  ['base64 without padding', 'data:;base64,eyJhIjoxfQ', '{"a":1}'],
  ['base64 with encoded padding', 'data:;base64,eyJhIjoxfQ%3D%3D', '{"a":1}'],
  ['base64 with line breaks and spaces', 'data:;base64,eyJh\r\n Ijox%0AfQ==', '{"a":1}'],
  ['base64 with plus and slash', 'data:;base64,Pz8/Pj4+', '???>>>'],
  ['base64 that is URL-safe', 'data:;base64,Pz8_Pj4-', '???>>>'],
])('reads %s', (_, uri, text) => {
  expect(read(uri)).toBe(text);
});

test.each([
  ['a missing comma', 'data:application/json;base64'],
  ['only the scheme', 'data:'],
  ['base64 that is JSON', 'data:application/json;base64,{"a":1}'],
  ['padding in the middle of base64', 'data:;base64,YQ==YQ=='],
  ['half a byte in base64', 'data:;base64,YWJjZ'],
  ['too much padding', 'data:;base64,YQ==='],
])('reports data-uri-invalid, %s', (_, uri) => {
  expect(read(uri)).toMatchObject({ code: 'data-uri-invalid' });
});

test('decodes any bytes in every form', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array);
      const base64 = bytes.toString('base64');
      const percent = bytes.toString('hex').replaceAll(/../g, '%$&');
      const forms = [
        `;base64,${base64}`,
        `;base64,${bytes.toString('base64url')}`,
        `;base64,${encodeURIComponent(base64)}`,
        `,${percent}`,
      ];
      for (const form of forms) expect(Buffer.from(readDataUri(`data:a/b${form}`) as Uint8Array)).toEqual(bytes);
    }),
  );
});
