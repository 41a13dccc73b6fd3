import { describe, expect, test } from 'vitest';
import { atomsOf, countExpressions, type Expression, groupsIn, headOf, parseSource } from '#clarity/parse-source.ts';

/**
 * Converts an expression into a short form: a text for an atom or string, an array for a list, an object for a tuple.
 */
function shape(expression: Expression): unknown {
  if (!('items' in expression)) return expression.text;
  const items = expression.items.map(shape);
  return expression.kind === 'list' ? items : { tuple: items };
}

const shapes = (source: string) => parseSource(source).map(shape);

describe('parseSource', () => {
  test('default', () => {
    const source = '(define-constant A u1)\n(ok {id: A})';
    const [constant, ok] = parseSource(source);
    expect(shapes(source)).toEqual([
      ['define-constant', 'A', 'u1'],
      ['ok', { tuple: ['id', 'A'] }],
    ]);
    expect(source.slice(constant?.start, constant?.end)).toBe('(define-constant A u1)');
    expect(source.slice(ok?.start, ok?.end)).toBe('(ok {id: A})');
  });

  test.each([
    ['an empty source', '', []],
    ['only white space', ' \t\r\n', []],
    ['only a comment', ';; (define-constant A "x', []],
    ['a comment after an atom', 'a;b\nc', ['a', 'c']],
    ['brackets and quotes in a comment', '(a ;; ) } "\n b)', [['a', 'b']]],
    ['brackets and semicolons in a string', '(a ") ; ( } {" b)', [['a', '") ; ( } {"', 'b']]],
    ['an escaped quote', '"a\\"b" c', ['"a\\"b"', 'c']],
    ['an escaped backslash before the quote', '"a\\\\" c', ['"a\\\\"', 'c']],
    ['a utf8 string', '(print u"\\u{1f600} )")', [['print', 'u"\\u{1f600} )"']]],
    ['atoms that begin with u', 'u u1 update', ['u', 'u1', 'update']],
    ['a string right after an atom', 'a"b"c', ['a', '"b"', 'c']],
    ['commas and colons', '{a: 1, b:2}', [{ tuple: ['a', '1', 'b', '2'] }]],
    ['operators and traits', "(<= a -1) <t> 'SP1.b", [['<=', 'a', '-1'], '<t>', "'SP1.b"]],
    ['empty lists', '()(())', [[], [[]]]],
    ['a list without its end', '(a (b', [['a', ['b']]]],
    ['a string without its end', '(a "b)', [['a', '"b)']]],
    ['a string that ends in a backslash', '"a\\', ['"a\\']],
    ['one closing bracket too many', 'a) b', ['a', 'b']],
    ['brackets that do not match', '(a} b', [['a'], 'b']],
  ])('%s', (_, source, expected) => {
    expect(shapes(source)).toEqual(expected);
  });
});

describe('groupsIn', () => {
  test('yields each group before the groups in it, in source order', () => {
    const source = 'a (b (c) "(no)" {d: (e)}) (f)';
    const groups = [...groupsIn(parseSource(source))].map(({ start, end }) => source.slice(start, end));
    expect(groups).toEqual(['(b (c) "(no)" {d: (e)})', '(c)', '{d: (e)}', '(e)', '(f)']);
  });
});

describe('countExpressions', () => {
  test('counts atoms, strings and groups, at any depth', () => {
    expect(countExpressions(parseSource('a (b {c: "d"} ())'))).toBe(7);
    expect(countExpressions(parseSource('('.repeat(200_000)))).toBe(200_000);
  });
});

describe('atomsOf', () => {
  test('yields all atoms except keys', () => {
    const atoms = [...atomsOf(parseSource('(a (b "no") {c: d}) ;; no\n e'))];
    expect(atoms.map(({ text }) => text)).toEqual(['a', 'b', 'd', 'e']);
  });

  test('yields more items than a function call can have arguments', () => {
    const atoms = atomsOf(parseSource(`(list ${'u1 '.repeat(300_000)})`));
    expect([...atoms]).toHaveLength(300_001);
  });

  test('reads any depth', () => {
    expect([...atomsOf(parseSource(`${'('.repeat(200_000)}a`))]).toHaveLength(1);
  });
});

describe('headOf', () => {
  test.each([
    ['(define-public (f) 1)', 'define-public'],
    ['((f) 1)', undefined],
    ['("f" 1)', undefined],
    ['()', undefined],
    ['{f: 1}', undefined],
    ['f', undefined],
    ['', undefined],
  ])('%s', (source, head) => {
    expect(headOf(parseSource(source)[0])).toBe(head);
  });
});
