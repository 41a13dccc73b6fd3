import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonSplitter } from '#source/event-archive/split-json.ts';
import { MalformedError } from '#source/observer/malformed-error.ts';

interface Split {
  readonly members: unknown;
  readonly items: readonly [string, unknown][];
}

/** Feeds a text in pieces that end at the given offsets. */
function split(text: string, cuts: readonly number[] = []): Split {
  const bytes = Buffer.from(text);
  const items: [string, unknown][] = [];
  const splitter = new JsonSplitter((key, item) => items.push([key, item]));
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((left, right) => left - right);
  let start = 0;
  for (const end of ends) {
    const piece = Buffer.from(bytes.subarray(start, end));
    splitter.push(piece);
    piece.fill(0); // the caller may use its buffer again
    start = end;
  }
  return { members: splitter.finish(), items };
}

function expected(value: Record<string, unknown>): Split {
  const entries = Object.entries(value);
  return {
    members: Object.fromEntries(entries.map(([key, member]) => [key, Array.isArray(member) ? [] : member])),
    items: entries.flatMap(([key, member]) =>
      Array.isArray(member) ? member.map((item): [string, unknown] => [key, item]) : [],
    ),
  };
}

const objects = fc
  .dictionary(fc.string({ unit: 'grapheme' }), fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())))
  // What JSON cannot hold (-0) is none of the splitter's business.
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);

describe('JsonSplitter', () => {
  test('default', () => {
    const value = {
      a: 1,
      list: [1, [2, 3], { b: ',]}' }, '"'],
      empty: [],
      nested: { list: [1, 2] },
      'k"\\': 'é€😀',
      z: null,
    };
    expect(split(JSON.stringify(value))).toEqual(expected(value));
  });

  test('behavior: any object, cut anywhere, is what JSON.parse gives', () => {
    fc.assert(
      fc.property(
        objects,
        fc.constantFrom(undefined, 2, '\t'),
        fc.array(fc.nat(), { maxLength: 8 }),
        (value, indent, cuts) => {
          expect(split(JSON.stringify(value, null, indent), cuts)).toEqual(expected(value));
        },
      ),
      { numRuns: 1000, seed: 1 },
    );
  });

  test('behavior: byte by byte', () => {
    const value = { list: ['\\"€😀', ['"]'], {}], '€': { '}': '\\' } };
    const text = JSON.stringify(value);
    expect(split(text, [...Buffer.from(text).keys()])).toEqual(expected(value));
  });

  test('error: the beginning of an object is never complete', () => {
    const text = '{"a":"x","list":[1,{"b":[2]}],"c":{"d":null},"e":true}';
    for (let end = 1; end < text.length; end++)
      expect(() => split(text.slice(0, end)), text.slice(0, end)).toThrow(MalformedError);
  });

  test.each([
    '{"a":1}x',
    '{"a":1}{"a":1}',
    '{"a":1}}',
    'x{"a":1}',
    '{"a" 1}',
    '{"a":1,,"b":2}',
    '{"a":1,}',
    '{"a":}',
    '{"a":[1,,2]}',
    '{"a":[1,]}',
    '{"a":[1] 2}',
    '{"a":[1}',
    '{"a":1]',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a":[1 2]}',
    '{"a":tru}',
    '{"a":[tru]}',
    '{"a":[1',
    '{"a":[1]"b":[2]}',
    '{"a":[1],[2]}',
    '{"a":{"b":[1}]}',
    '{[1]}',
    '[[1]',
    '{"a":[1]},',
    '\ufeff{"a":[1]}',
    '{"a":[\u00a0]}',
  ])('error: %s is refused, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => split(text)).toThrow(MalformedError);
  });

  test.each(['{"a":[1],"a":[2]}', '{"a":[1],"a":2}', '{"a":[1],"b":3,"a":[]}'])(
    'error: %s, where the items of a list that is there twice would count, is refused',
    (text) => {
      expect(() => split(text)).toThrow(MalformedError);
    },
  );

  test.each(['{"a":1,"a":2}', '{"a":1,"a":[2]}', '{"__proto__":[1],"b":{"__proto__":[2]}}', '[1]', 'null'])(
    'behavior: %s is what JSON.parse gives',
    (text) => {
      const value: unknown = JSON.parse(text);
      const isObject = !Array.isArray(value) && value !== null;
      expect(split(text)).toEqual(
        isObject ? expected(value as Record<string, unknown>) : { members: value, items: [] },
      );
    },
  );
});
