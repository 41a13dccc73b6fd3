// Tests readers of Clarity source text: the parser, the reduction of sources for the VM, and the search for referenced
// contracts.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findNames } from '#clarity/find-names.ts';
import { findReferences } from '#clarity/find-references.ts';
import { atomsOf, type Expression, parseSource } from '#clarity/parse-source.ts';
import { isContractId } from '#model/principal.ts';
import { cutDefinitions, cutSource, definitionsOf, namesIn } from '#vm/cut-source.ts';
import { prepareSource } from '#vm/prepare-source.ts';
import { fuzz } from './fuzz.ts';

const ADDRESS = 'SP000000000000000000002Q6VF78';
const WORDS = ['get-name', 'begin', 'define-constant', 'u1', 'tx-sender', 'chain-id', 'is-in-mainnet', `'${ADDRESS}.a`];
const MORE_WORDS = ['.pox', '0x00', '"text"', 'u"\\"\\u{1F600}"', '"\\\\"', '; comment\n', 'impl-trait', 'some', '<t>'];

const word = fc.constantFrom(...WORDS);
const listOf = (item: fc.Arbitrary<string>, between: string) =>
  fc.array(item, { maxLength: 5 }).map((items) => items.join(between));
const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const entry = fc.tuple(word, inner).map(([key, value]) => `${key}: ${value}`);
  return {
    expression: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(...WORDS, ...MORE_WORDS),
      listOf(inner, ' ').map((items) => `(${items})`),
      listOf(entry, ', ').map((entries) => `{ ${entries} }`),
      listOf(inner, '\n').map((items) => `(begin ${items})`),
      fc.tuple(word, inner).map(([name, body]) => `(define-read-only (${name}) (ok ${body}))`),
      fc.tuple(word, inner).map(([name, value]) => `(define-data-var ${name} uint ${value})`),
    ),
  };
});

/** Checks that expressions are in order, and that each lies within its enclosing expression or the text. */
function checkPlaces(source: string, expressions: readonly Expression[]): void {
  const open = [{ items: expressions, start: 0, end: source.length }];
  for (let group = open.pop(); group !== undefined; group = open.pop()) {
    let at = group.start;
    for (const item of group.items) {
      assert.ok(item.start >= at && item.end > item.start && item.end <= group.end);
      at = item.end;
      if ('items' in item) open.push({ items: item.items, start: item.start, end: item.end });
      else assert.equal(item.text, source.slice(item.start, item.end));
    }
  }
}

function checkCuts(source: string): void {
  const isCut = (cut: string) => assert.ok(cut.length <= 2 * source.length + 1);
  isCut(definitionsOf(source));
  const names = namesIn(source);
  isCut(cutDefinitions(source).withNames(names));
  const cut = cutSource(source);
  for (const share of [0, 2, 1]) {
    const indices = Array.from({ length: cut.expressionCount }, (_, index) => index);
    isCut(cut.withExpressions(new Set(indices.filter((index) => share !== 0 && index % share === 0))));
  }
}

fuzz({
  name: 'clarity-source',
  inputs: 1_500,
  valid: fc.array(expression, { minLength: 4, maxLength: 4 }).map((expressions) => Buffer.from(expressions.join('\n'))),
  tokens: [
    '(',
    ')',
    '{',
    '}',
    '(begin ',
    '(a ',
    '{a: ',
    '(define-constant a ',
    '"',
    'u"',
    '\\',
    ';',
    '\n',
    ...WORDS,
    ...MORE_WORDS,
  ],
  read: (input) => {
    const source = input.toString();
    const expressions = parseSource(source);
    checkPlaces(source, expressions);
    checkCuts(source);
    for (const { text } of atomsOf(expressions)) assert.ok(text.length > 0);
    for (const contractId of findReferences(expressions, ADDRESS)) assert.ok(isContractId(contractId));
    const prepared = prepareSource(source, { clarityVersion: 3, chainId: 1 });
    assert.ok(prepared.usesFacts || prepared.sourceCode.length <= 20 * source.length + 1_000);
    findNames(input, ADDRESS);
    return expressions.length > 0;
  },
});
