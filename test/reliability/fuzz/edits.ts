// Generates edits of inputs in any format: of bytes, and of values in JSON.
import fc from 'fast-check';

export type Edit = (input: Buffer) => Buffer;

/** The maximum length of an edited input. Most inputs are much shorter; only repetitions reach the maximum. */
const MAX_BYTES = 300_000;
/** Values of lengths and counts at which readers often fail, and bytes with a meaning in many formats. */
const BYTES = [
  ...[
    '00',
    '01',
    '02',
    '7f',
    '80',
    'ff',
    '0100',
    '7fff',
    '8000',
    'ffff',
    '00010000',
    '7fffffff',
    '80000000',
    'ffffffff',
  ],
  ...['09', '0a', '20', '22', '5c', 'a0', 'c0', 'ed'],
].map((hex) => Buffer.from(hex, 'hex'));
/** Numbers of repetitions, among them the limits of nesting in the language and the readers. */
const TIMES = fc.oneof(
  { weight: 70, arbitrary: fc.constant(1) },
  { weight: 20, arbitrary: fc.constantFrom(31, 32, 33, 63, 64, 65, 66) },
  { weight: 9, arbitrary: fc.nat(2_000) },
  { weight: 1, arbitrary: fc.constantFrom(15_000, MAX_BYTES) },
);
const place = fc.nat(MAX_BYTES);
/** Lengths of parts. Most are short. */
const size = fc.oneof(
  { weight: 6, arbitrary: fc.nat(8) },
  { weight: 3, arbitrary: fc.nat(200) },
  { weight: 1, arbitrary: place },
);

const splice = (input: Buffer, at: number, removed: number, ...added: readonly Uint8Array[]): Buffer => {
  const from = at % (input.length + 1);
  return Buffer.concat([input.subarray(0, from), ...added, input.subarray(from + removed)]).subarray(0, MAX_BYTES);
};
const partOf = (input: Buffer, at: number, length: number) =>
  input.subarray(at % (input.length + 1)).subarray(0, length);
const repeat = (part: Uint8Array, times: number) =>
  Buffer.alloc(part.length === 0 ? 0 : Math.min(part.length * times, MAX_BYTES), part);

/** Generates edits that overwrite, remove, insert, repeat or splice bytes. */
export function byteEdit(sources: fc.Arbitrary<Buffer>, tokens: readonly (string | Buffer)[] = []): fc.Arbitrary<Edit> {
  const bytes = fc.oneof(fc.constantFrom(...BYTES), fc.uint8Array({ minLength: 1, maxLength: 4 }));
  const token = tokens.length === 0 ? bytes : fc.constantFrom(...tokens).map((text) => Buffer.from(text as string));
  return fc.oneof(
    fc.tuple(place, bytes).map(
      ([at, by]) =>
        (input: Buffer) =>
          splice(input, at, by.length, by),
    ),
    fc.tuple(place, size).map(
      ([at, length]) =>
        (input: Buffer) =>
          splice(input, at, length),
    ),
    fc.tuple(place, fc.oneof(bytes, token, token), TIMES).map(
      ([at, by, times]) =>
        (input: Buffer) =>
          splice(input, at, 0, repeat(by, times)),
    ),
    fc.tuple(place, place, size, TIMES).map(
      ([at, from, length, times]) =>
        (input: Buffer) =>
          splice(input, at, 0, repeat(partOf(input, from, length), times)),
    ),
    fc.tuple(sources, place, place, size, size).map(
      ([other, at, from, removed, length]) =>
        (input: Buffer) =>
          splice(input, at, removed, partOf(other, from, length)),
    ),
  );
}

/** Generates valid inputs after one to four edits, and sometimes random bytes. */
export function edited(
  valid: fc.Arbitrary<Buffer>,
  tokens: readonly (string | Buffer)[] | undefined,
  more?: fc.Arbitrary<Edit>,
): fc.Arbitrary<Buffer> {
  const edit = more === undefined ? byteEdit(valid, tokens) : fc.oneof(more, byteEdit(valid, tokens));
  return fc.oneof(
    {
      weight: 30,
      arbitrary: fc
        .tuple(valid, fc.array(edit, { minLength: 1, maxLength: 4 }))
        .map(([input, edits]) => edits.reduce((bytes, apply) => apply(bytes), input)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 1_000 }).map((bytes) => Buffer.from(bytes)) },
  );
}

const TEXTS = ['__proto__', 'constructor', 'toString', 'length', 'failure', '', '0', 'a\u0000b', '\ud800', '{locale}'];
const MORE_TEXTS = [`0x${'0a'.repeat(200)}`, '\u00a0\ufeff', '€😀', '\\"\n\u0007', '-1', '1e999', '{id}', '<html>'];
const NUMBERS = ['0', '-0', '-1', '0.5', '1e21', '1e300', '5e-324', '1e999', '4294967296', '9007199254740993', '255'];
/** Usually a small number, to repeat a value in JSON. */
const COUNT = fc.oneof({ weight: 9, arbitrary: fc.nat(70) }, { weight: 1, arbitrary: fc.nat(5_000) });
const oddJson = fc.oneof(
  fc.constantFrom(...[...TEXTS, ...MORE_TEXTS].map((text) => JSON.stringify(text)), ...NUMBERS, 'true', 'null'),
  fc.constantFrom('{}', '[]', '[null]', '{"__proto__":{"a":1}}'),
  fc.json({ maxDepth: 3 }),
  fc
    .tuple(fc.constantFrom(['[', ']'], ['{"a":', '}']), COUNT)
    .map(([[open = '', close = ''], depth]) => `${open.repeat(depth)}"bool"${close.repeat(depth)}`),
  fc
    .tuple(fc.constantFrom('[]', '{}', '0', '"a"'), fc.nat(5_000))
    .map(([item, count]) => `[${`${item},`.repeat(count)}0]`),
  fc.tuple(fc.constantFrom('{id}', 'a', '€', ' '), COUNT).map(([part, count]) => `"${part.repeat(count)}"`),
);
/** Keys and values of JSON without parts, and beginnings of lists and objects. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[{]/gs;

/** An edit that replaces a key or a value of JSON, or adds an item or member. The result is usually JSON. */
export const jsonEdit: fc.Arbitrary<Edit> = fc
  .tuple(place, oddJson, fc.constantFrom(...TEXTS))
  .map(([nth, json, key]) => (input) => {
    const tokens = [...input.toString('latin1').matchAll(JSON_TOKEN)];
    const { 0: token, index } = tokens[nth % tokens.length] ?? { 0: '', index: 0 };
    if (token === '[') return splice(input, index + 1, 0, Buffer.from(`${json},`));
    if (token === '{') return splice(input, index + 1, 0, Buffer.from(`${JSON.stringify(key)}:${json},`));
    return splice(input, index, token.length, Buffer.from(json));
  });
