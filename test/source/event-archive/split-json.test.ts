import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonSplitter } from '#source/event-archive/split-json.ts';

interface Split {
  readonly members: [string, unknown][];
  readonly items: [string, unknown][];
  readonly complete: boolean;
}

/** Feeds a text in pieces that end at the given offsets. */
function split(text: string, cuts: readonly number[] = []): Split {
  const bytes = Buffer.from(text);
  const result = { members: [] as [string, unknown][], items: [] as [string, unknown][] };
  const splitter = new JsonSplitter({
    member: (key, json) => result.members.push([key, JSON.parse(json)]),
    item: (key, json) => result.items.push([key, JSON.parse(json)]),
  });
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((left, right) => left - right);
  let start = 0;
  for (const end of ends) {
    const piece = Buffer.from(bytes.subarray(start, end));
    splitter.push(piece);
    piece.fill(0); // the caller may use its buffer again
    start = end;
  }
  return { ...result, complete: splitter.complete };
}

function expected(value: Record<string, unknown>): Split {
  const entries = Object.entries(value);
  return {
    members: entries.filter(([, member]) => !Array.isArray(member)),
    items: entries.flatMap(([key, member]) =>
      Array.isArray(member) ? member.map((item): [string, unknown] => [key, item]) : [],
    ),
    complete: true,
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
      expect(split(text.slice(0, end)).complete, text.slice(0, end)).toBe(false);
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
  ])('error: %s is refused, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(() => {
      if (!split(text).complete) throw new SyntaxError('not complete');
    }).toThrow(SyntaxError);
  });
});
