import { expect, test } from 'vitest';
import { callsAtDeploy } from '#clarity/calls-at-deploy.ts';
import { parseSource } from '#clarity/parse-source.ts';

const mayCall = (source: string) => callsAtDeploy(parseSource(source));

const FUNCTIONS = `(use-trait t .traits.t) (impl-trait .traits.t)
  (define-map m uint uint) (define-non-fungible-token n uint) (define-fungible-token f u100)
  (define-data-var v uint u0) (define-constant ERR (err u1)) (define-trait own ((f () (response bool uint))))
  (define-private (set (x uint)) (contract-call? .a set x)) ;; (set u1)
  (define-read-only (get) "(set u1)")
  (define-public (all (xs (list 9 uint))) (ok (map set xs)))`;

test.each([
  ['a call', '(contract-call? .a f)', true],
  ['a call of its own function', '(set u1)', true],
  ['a call deep in a form of two lines', '(begin (print u1)\n  (ok\n (set u1)))', true],
  ['a function as an argument', '(map set (list u1 u2))', true],
  ['a function before a comment', '(map set;; all\n (list u1 u2))', true],
  ['a call in a tuple', '(print {a:(set u1)})', true],
  ['a call in a constant', '(define-constant C (set u1))', true],
  ['a call in a variable', '(define-data-var w uint (set u1))', true],
  ['a call in the supply of a token', '(define-fungible-token g (set u1))', true],
  ['a call after a string with a quote', String.raw`(print "\"(") (set u1)`, true],
  ['only definitions, without calls', '', false],
  ['built-in functions', '(var-set v (+ u1 u2)) (map-set m u1 u1) (ft-mint? f u1 tx-sender)', false],
  ['a function without calls', '(get)', false],
  ['a function that calls a function', '(define-private (twice) (set (set u1))) (twice)', true],
  ['a function with the name of a key', '(print {set: u1})', false],
  ['a boot contract', "(define-private (own) (contract-call? 'SP000000000000000000002Q6VF78.bns f)) (own)", false],
  ['only a comment', ';; (set u1)', false],
])('%s', (_, more, expected) => {
  expect(mayCall(`${FUNCTIONS}\n${more}`)).toBe(expected);
});

test('follows functions of the same name, and functions that call each other', () => {
  const [here, away] = ['(define-private (a) (b))', '(define-private (a) (contract-call? .a f))'];
  expect(mayCall(`${here} (define-private (b) (a)) (a)`)).toBe(false);
  expect(mayCall(`${here} ${away} (define-private (b) (a)) (b)`)).toBe(true);
});

test('finds the name of a function after a comment', () => {
  expect(mayCall('(define-private ;; hidden\n (run) (contract-call? .a f))(run)')).toBe(true);
});
