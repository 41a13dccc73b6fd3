import { expect, test } from 'vitest';
import { findWritingFunctions } from '#clarity/writing-functions.ts';

const find = (source: string) => Object.fromEntries(findWritingFunctions(source));

test('finds functions that write variables, or call other contracts', () => {
  const source = `(define-data-var v uint u0) (define-map m uint uint) (define-non-fungible-token n uint)
    (define-public (set) (ok (var-set v u1))) (define-public (put) (ok (map-insert m u1 u1)))
    (define-public (mint) (nft-mint? n u1 tx-sender)) (define-public (call) (contract-call? .other f))
    (define-public (send) (nft-transfer? n u1 tx-sender tx-sender)) (define-read-only (get) (var-get v))`;
  expect(find(source)).toEqual({ set: 'own', put: 'own', mint: 'own', call: 'any' });
});

test('adds the writes of called functions, in any order and as arguments', () => {
  const source = `(define-public (all) (ok (map each (list u1)))) (define-private (each (x uint)) (put x))
    (define-private (put (x uint)) (begin (map-set m x x) (far))) (define-private (far) (contract-call? .other f))
    (define-public (none) (ok u1))`;
  expect(find(source)).toEqual({ all: 'any', each: 'any', put: 'any', far: 'any' });
});

test('ignores comments, strings and top-level forms', () => {
  const source = `(var-set v u1) (define-constant C (contract-call? .other f))
    (define-public (a) ;; (var-set v u1)
      (ok "(contract-call? .other f)"))`;
  expect(find(source)).toEqual({});
});

test('merges functions that have the same name', () => {
  expect(find('(define-public (a) (ok u1)) (define-public (a) (ok (var-set v u1)))')).toEqual({ a: 'own' });
});
