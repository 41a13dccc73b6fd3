import { expect, test } from 'vitest';
import { findCalls } from '#clarity/find-calls.ts';
import { calledName, keyOf, traitName } from '#clarity/name-key.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

const find = (source: string) => {
  return [...findCalls(Buffer.from(source), DEPLOYER).calls];
};

test('default', () => {
  expect(find(`(contract-call? .a f u1) (contract-call? '${OTHER}.b-c g .d) (contract-call? passed h)`)).toEqual([
    ...[keyOf(calledName(`${DEPLOYER}.a`, 'f')), keyOf(calledName(`${OTHER}.b-c`, 'g')), keyOf(traitName('h'))],
  ]);
});

test('behavior: functions that it defines, whatever stands around them, and none of a comment', () => {
  const source = `(define-public (b) (ok (contract-call? .a f)))(define-read-only
      (a (x uint)) x) ;; (define-public (old) (contract-call? .old g))
      (print "(contract-call? .told h) (define-public (told) u1)")
      (define-private (hidden) u1)`;
  const { functions, names } = findCalls(Buffer.from(source), DEPLOYER);
  expect([functions, names]).toEqual(['a b', [`${DEPLOYER}.a f`]]);
});

test('behavior: a comment may stand between, and a source that calls nothing has none', () => {
  expect(find('(contract-call? ;; the library\n  .lib ;; and its\n f)')).toEqual([
    keyOf(calledName(`${DEPLOYER}.lib`, 'f')),
  ]);
  expect(find('(impl-trait .traits.ft)')).toEqual([]);
});
