import { expect, test } from 'vitest';
import { findNames, MAX_NAMES } from '#clarity/find-names.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

const find = (source: string) => findNames(Buffer.from(source), DEPLOYER).names;

test('finds calls of contracts and of traits', () => {
  expect(find(`(contract-call? .a f u1) (contract-call? '${OTHER}.b-c g .d) (contract-call? passed h)`)).toEqual([
    `contract-call? ${DEPLOYER}.a f`,
    `contract-call? ${OTHER}.b-c g`,
    'contract-call? * h',
  ]);
});

test('finds implemented and used traits, but not in comments and strings', () => {
  const source = `;; (impl-trait .old.ft)
(impl-trait '${OTHER}.sip-010.ft-trait)
(define-constant NOTE "ends with a backslash \\\\") (impl-trait .own.nft-trait) ;(use-trait x .y.z)
(define-constant TEXT "; no comment \\" (impl-trait .told.ft) here") (use-trait ft '${OTHER}.sip-010.ft-trait)
(use-trait own-trait
  .own.ft-trait)
(define-trait impl-trait-like ()) (define-public (f (t <own-trait>)) (ok t))`;
  expect(find(source)).toEqual([
    `impl-trait ${OTHER}.sip-010 ft-trait`,
    `impl-trait ${DEPLOYER}.own nft-trait`,
    `use-trait ${OTHER}.sip-010 ft-trait`,
    `use-trait ${DEPLOYER}.own ft-trait`,
  ]);
});

test('allows comments inside a call, and returns each name once', () => {
  const call = '(contract-call? ;; the library\n  .lib ;; and its\n f)';
  expect(find(call + call)).toEqual([`contract-call? ${DEPLOYER}.lib f`]);
});

test('skips a long comment of semicolons', () => {
  const semicolons = ';'.repeat(100_000);
  const source = `;; no contract-call? ${semicolons}\n(define-public (f) (ok (contract-call? ${semicolons}\n .a g)))`;
  expect(find(source)).toEqual([`contract-call? ${DEPLOYER}.a g`]);
});

test('finds traits first, and stops at the maximum number of names', () => {
  const calls = Array.from({ length: MAX_NAMES + 5 }, (_, index) => `(contract-call? .c${index} f)`.repeat(2));
  const names = find(`${calls.join(' ')} (impl-trait .own.ft)`);
  expect([names.length, names[0], names.at(-1)]).toEqual([
    MAX_NAMES,
    `impl-trait ${DEPLOYER}.own ft`,
    `contract-call? ${DEPLOYER}.c${MAX_NAMES - 2} f`,
  ]);
});
