// Checks that the time of each reader of Clarity source grows linearly with the length of the source, for sources of
// many shapes.
import { expect, test } from 'vitest';
import { callsAtDeploy } from '#clarity/calls-at-deploy.ts';
import { findNames } from '#clarity/find-names.ts';
import { findReferences } from '#clarity/find-references.ts';
import { atomsOf, parseSource } from '#clarity/parse-source.ts';
import { readEffects } from '#clarity/read-effects.ts';
import { clarityTokens, findDefinitions, sourceChunks } from '#explorer/clarity-tokens.ts';
import { sharedGetters } from '#standards/shared-getters.ts';
import { hasDefinitions } from '#standards/source-interface.ts';
import { cutDefinitions, cutSource, definitionsOf, namesIn } from '#vm/cut-source.ts';
import { prepareSource } from '#vm/prepare-source.ts';
import { EMPTY_INTERFACE } from '../support/interfaces.ts';

const ADDRESS = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const BYTES = 1_000_000;
/**
 * The maximum growth of the time for 4 times the length. Linear work takes 4 times as long, and quadratic work 16
 * times.
 */
const MAX_GROWTH = 6;
/** Shorter times count as this time in comparisons, since they depend more on the machine than on the code. */
const LEAST_MS = 500;

const READERS: Readonly<Record<string, (source: string) => unknown>> = {
  callsAtDeploy,
  findNames: (source) => findNames(Buffer.from(source), ADDRESS),
  findReferences: (source) => findReferences(source, ADDRESS),
  parseSource: (source) => [...atomsOf(parseSource(source))].length,
  readEffects: (source) => readEffects(source, `${ADDRESS}.a`),
  sharedGetters: (source) => sharedGetters('sip-009', source),
  hasDefinitions: (source) => hasDefinitions(EMPTY_INTERFACE, source),
  cutSource: (source) => cutSource(source).withExpressions(new Set()),
  cutDefinitions: (source) => cutDefinitions(source).withNames(['f', 'a0']),
  definitionsOf,
  namesIn,
  prepareSource: (source) => prepareSource(source, { clarityVersion: 3, chainId: 1 }),
  clarityTokens: (source) => [...clarityTokens(source)].length,
  findDefinitions,
  sourceChunks: (source) => [...sourceChunks(source)].length,
};

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

const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  'one comment of semicolons': repeat(';'),
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

const cpuMs = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

test.each(Object.keys(SHAPES))('reads %s in linear time', (name) => {
  const shape = SHAPES[name] as (bytes: number) => string;
  const [small, large] = [shape(BYTES / 4), shape(BYTES)];
  for (const [reader, read] of Object.entries(READERS)) {
    // This first call compiles the reader, so that compiling is not measured.
    read(shape(1_000));
    const [first, second] = [small, large].map((source) => cpuMs(() => read(source))) as [number, number];
    expect(second, `${reader}: ${first} ms, then ${second} ms`).toBeLessThan(MAX_GROWTH * Math.max(first, LEAST_MS));
  }
});
