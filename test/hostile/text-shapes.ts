// Makes texts of many shapes: Clarity sources, metadata documents, and any other text that repeats a part.

/** Makes a text of about this length. */
type Shape = (length: number) => string;
export type Shapes = Readonly<Record<string, Shape>>;

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';

/** Returns shapes that repeat each part, between each pair of texts. */
export function repeats(parts: readonly string[], around: readonly (readonly [string, string])[] = [['', '']]): Shapes {
  const shapes = parts.flatMap((part) =>
    around.map(([head, tail]) => {
      const shape: Shape = (length) => head + part.repeat(Math.ceil(length / part.length)) + tail;
      return [`${JSON.stringify(part)} between ${JSON.stringify([head, tail])}`, shape] as const;
    }),
  );
  return Object.fromEntries(shapes);
}

const repeat = (part: string) => (bytes: number) => part.repeat(Math.ceil(bytes / part.length)).slice(0, bytes);
/** Returns a function that joins parts with increasing numbers, until the text has the requested length. */
const numbered = (part: (at: number) => string) => (bytes: number) => {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at++) length += parts[parts.push(part(at)) - 1]?.length ?? 0;
  return parts.join('');
};
const inside = (before: string, shape: (bytes: number) => string, after: string) => (bytes: number) =>
  before + shape(bytes) + after;
/**
 * Returns a function that makes a source. Its first half is a constant with contract names, its second half uses the
 * constant.
 */
const constant = (before: string, uses: string) => (bytes: number) =>
  `(define-constant c (list ${numbered((at) => `.c${at} `)(bytes / 2)}))${before}${repeat(uses)(bytes / 2)}))`;

/**
 * Returns a function that makes a source. Its innermost expression writes, and all enclosing expressions are
 * conditions.
 */
const nested = (before: string, after: string) => (bytes: number) => {
  const depth = Math.ceil(bytes / (before.length + after.length));
  return `(define-public (f) ${before.repeat(depth)}(var-set a true)${after.repeat(depth)})`;
};

export const SOURCE_SHAPES: Shapes = {
  'one comment of semicolons': repeat(';'),
  'many comments': repeat(';\n'),
  'a call before a comment of semicolons': inside(';; contract-call? ', repeat(';'), '\n(a) contract-call? .a ;\n b)'),
  'calls before comments': repeat('(contract-call? ;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;\n'),
  'calls in a comment': inside(';; ', repeat('contract-call?;'), '\n'),
  'calls in a string': inside('(define-constant a "', repeat('contract-call? a b '), '")'),
  'calls in many strings': repeat('"contract-call? define-public impl-trait .a" '),
  'calls that name a string': repeat('(contract-call? "a" b) '),
  'calls in one word': repeat('contract-call?'),
  'traits in one word': repeat('impl-trait'),
  'definitions in one word': repeat('define-public-'),
  'definitions of nothing': repeat('(define-public '),
  'definitions without brackets': repeat('define-private f '),
  'traits of nothing': repeat('(impl-trait '),
  'traits with spaces': inside('(use-trait a ', repeat(' '), '.b.c)'),
  quotes: repeat('"'),
  'escapes in a string': inside('"', repeat('\\'), ''),
  dots: repeat('.'),
  'addresses without names': repeat(`'${ADDRESS}`),
  'one address': inside("'", repeat('A'), '.a'),
  'one number': inside('', repeat('1'), 'a'),
  'one hexadecimal number': inside('0x', repeat('f'), 'g'),
  spaces: repeat(' '),
  'line ends': repeat('\r\n'),
  'open brackets': repeat('('),
  'closed brackets': repeat(')'),
  braces: repeat('{a:{'),
  'begins in begins': repeat('(begin '),
  'conditions in conditions': inside('(define-public (f) ', repeat('(asserts! '), ')'),
  'conditions in conditions that write': inside('(define-public (f) ', repeat('(asserts! (var-set a u1) '), ')'),
  'conditions around a write': nested('(asserts! ', ' (err u1))'),
  'conditions around a write, after other code': nested('(asserts! (and (is-eq u1 u1) ', ') (err u1))'),
  'conditions after writes': inside(
    '(define-public (f) ',
    repeat('(begin (asserts! (ok u1) (err u1)) (var-set a u1)) '),
    ')',
  ),
  functions: numbered((at) => `(define-public (f${at}) (ok (var-get v)))`),
  'functions that call each other': numbered((at) => `(define-private (f${at}) (f${at + 1}))`),
  'constants of constants': numbered((at) => `(define-constant a${at} a${at + 1})`),
  'a constant that names contracts, used in a function': constant('(define-public (f) (list ', 'c '),
  'a constant that names contracts, used in a constant': constant('(define-constant d (list ', 'c '),
  'words that the VM evaluates differently': repeat('(is-standard burn-block-height) '),
  'characters beyond ASCII': repeat('"é😀\u2028" é\u00a0'),
};

/** Repeats `part` until the text has this length. */
const fill = (part: string, length: number) => part.repeat(length / part.length);
/** Returns JSON names of equal lengths. They are so few that the document is not refused for its number of values. */
const names = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => JSON.stringify(`${at}`.padStart(Math.floor(length / count) - 3, 'x')));
const localized = (locales: readonly string[]) => `{"localization":{"uri":"x/{locale}","locales":[${locales}]}}`;

export const DOCUMENT_SHAPES: Shapes = {
  'a JSON text': (length) => `{"name":"${fill('a', length)}"}`,
  'JSON escapes': (length) => `{"name":"${fill('\\u0041', length)}"}`,
  'NUL characters': (length) => `{"name":"${fill('\\u0000', length)}"}`,
  'unpaired surrogates': (length) => `{"name":"${fill('\\ud800', length)}"}`,
  'placeholders of the token id': (length) => `{"name":"${fill('{id}', length)}"}`,
  'blanks before an image': (length) => `{"image":"${fill(' ', length)}a"}`,
  'slashes in an image': (length) => `{"image":"https:${fill('/ ', length)}"}`,
  'an SVG in image_data': (length) => `{"image_data":"<svg>${fill('a', length)}"}`,
  'keys of errors': (length) => `{${names(length / 200, length).map((key) => `${key}:1`)}}`,
  'a localization with many locales': (length) => localized(names(length / 64, length)),
  'a localization with 10 long locales': (length) => localized(names(10, length)),
  'locales that differ only in case': (length) =>
    localized(names(10, length).flatMap((locale) => [locale, locale.toUpperCase()])),
  'opening brackets': (length) => fill('[', length),
  'closing brackets': (length) => fill(']', length),
  'mixed quotes': (length) => fill(`"'`, length),
  'an unclosed comment of HTML': (length) => `<!--${fill('-', length)}`,
  'a JSON5 text': (length) => `{name:'${fill('a', length)}'}`,
  'JSON5 escapes': (length) => `{name:'${fill('\\u0041', length)}'}`,
  'JSON5 line continuations': (length) => `{name:'${fill('\\\n', length)}'}`,
  'JSON5 line separators': (length) => `{name:'${fill('\u2028', length / 3)}'}`,
  'JSON5 backslashes': (length) => `{name:'${fill('\\', length)}'}`,
  'JSON5 line comments': (length) => `{name:'a'${fill('//a\n', length)}}`,
  'JSON5 block comments': (length) => `{name:'a'${fill('/**/', length)}}`,
  'JSON5 spaces': (length) => `{name:'a'${fill('\u00a0', length / 2)}}`,
  'a JSON5 key': (length) => `{${fill('k', length)}:1}`,
  'a JSON5 key of escapes': (length) => `{${fill('\\u0041', length)}:1}`,
  'a JSON5 number': (length) => `{sip:${fill('9', length)}}`,
  'a hexadecimal JSON5 number': (length) => `{sip:0x${fill('f', length)}}`,
  'an unclosed JSON5 text': (length) => `{name:'${fill('a', length)}`,
  'an unclosed JSON5 comment': (length) => `{name:'a'/*${fill('*', length)}`,
  'slashes that begin no JSON5 comment': (length) => `{name:'a'${fill('/ ', length)}`,
  'a JSON5 error at the end': (length) => `{name:'a'${fill('\n', length)}!}`,
};
