import { expect, test } from 'vitest';
import { findNames } from '#clarity/find-names.ts';
import { SourceScanner } from '#clarity/source-scanner.ts';

test('skips comments, and reads strings and brackets', () => {
  const scanner = new SourceScanner(`(a ;; (b "c\n {k:u"d \\" )",'S.e}) ; end`);
  const tokens: string[] = [];
  while (scanner.next() !== undefined) tokens.push(`${scanner.kind} ${scanner.text}`);
  expect(tokens).toEqual(['( (', 'atom a', '{ {', 'atom k', String.raw`string u"d \" )"`, "atom 'S.e", '} }', ') )']);
});

test('finds a word within atoms, but not in comments and strings', () => {
  const scanner = new SourceScanner(`"w;" aw;; w "\n(w w "\\"w" bwb";w`);
  const found: string[] = [];
  while (scanner.nextAtomWith('w')) found.push(`${scanner.start} ${scanner.text}`);
  expect(found).toEqual(['5 aw', '15 w', '17 w', '25 bwb']);
});

test('continues with the next token after a found word', () => {
  const scanner = new SourceScanner('(a (b ;c\n d "e" b f))');
  const next = () => [scanner.nextAtomWith('b'), scanner.next(), scanner.text];
  expect([next(), next(), next()]).toEqual([
    [true, 'atom', 'd'],
    [true, 'atom', 'f'],
    [false, undefined, ''],
  ]);
});

test('searches for two words in turn', () => {
  const scanner = new SourceScanner('(b a "a" ;b\n b a)');
  const found = ['a', 'b', 'a', 'b'].map((word) => [scanner.nextAtomWith(word), scanner.start]);
  expect(found).toEqual([
    [true, 3],
    [true, 13],
    [true, 15],
    [false, 17],
  ]);
});

test('skips a long comment of semicolons', () => {
  const semicolons = ';'.repeat(100_000);
  const source = `;; no contract-call? ${semicolons}\n(define-public (f) (ok (contract-call? ${semicolons}\n .a g)))`;
  expect(findNames(Buffer.from(source), 'SP000000000000000000002Q6VF78').names).toEqual([
    'contract-call? SP000000000000000000002Q6VF78.a g',
  ]);
});
