import { describe, expect, test } from 'vitest';
import { findCalledContracts } from '#clarity/find-called-contracts.ts';
import { readEffects } from '#clarity/function-effects.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

const NOTHING = { isPublic: false, reads: [], writes: [], ownCalls: [], calls: [], traitCalls: [] };

function effectsOf(source: string) {
  return Object.fromEntries(
    [...readEffects(source, DEPLOYER)].map(([name, { isPublic, reads, writes, ownCalls, calls, traitCalls }]) => [
      name,
      { isPublic, reads: [...reads], writes: [...writes], ownCalls: [...ownCalls], calls, traitCalls: [...traitCalls] },
    ]),
  );
}

describe('readEffects', () => {
  test('default', () => {
    const source = `
      (define-data-var owner principal tx-sender)
      (define-map uris uint (string-ascii 10))
      (define-read-only (get-owner) (ok (var-get owner)))
      (define-public (set-owner (new principal)) (ok (var-set owner new)))
      (define-private (is-owner) (is-eq tx-sender (var-get owner)))`;
    expect(effectsOf(source)).toEqual({
      'get-owner': { ...NOTHING, reads: ['owner'] },
      'set-owner': { ...NOTHING, isPublic: true, writes: ['owner'] },
      'is-owner': { ...NOTHING, reads: ['owner'] },
    });
  });

  test.each([
    ['(map-get? uris u1)', { reads: ['uris'] }],
    ['(map-set uris u1 "a")', { writes: ['uris'] }],
    ['(map-delete uris u1)', { writes: ['uris'] }],
    ['(map-insert uris u1 "a")', { reads: ['uris'], writes: ['uris'] }],
    ['(let ((a (begin (var-set deep u1) u2))) (ok {b: (var-get within)}))', { reads: ['within'], writes: ['deep'] }],
    ['(map helper (list u1))', { ownCalls: ['helper'] }],
    ['(begin ;; (var-set owner tx-sender)\n "(var-get owner)")', {}],
    ['(contract-call? .lib do u1)', { calls: [{ contractId: `${DEPLOYER}.lib`, functionName: 'do' }] }],
    [`(contract-call? '${OTHER}.lib do u1)`, { calls: [{ contractId: `${OTHER}.lib`, functionName: 'do' }] }],
    ['(contract-call? passed do u1)', { traitCalls: ['do'] }],
    ['(contract-call?', {}],
  ])('behavior: %s', (body, effects) => {
    const source = `(define-private (helper (a uint)) a)\n(define-public (f (passed <t>)) ${body})`;
    expect(effectsOf(source).f).toEqual({ ...NOTHING, isPublic: true, ...effects });
  });
});

describe('findCalledContracts', () => {
  const find = (source: string) => findCalledContracts(Buffer.from(source), DEPLOYER);

  test('default', () => {
    expect(find(`(contract-call? .a f) (contract-call? '${OTHER}.b-c f)`)).toEqual([`${DEPLOYER}.a`, `${OTHER}.b-c`]);
  });

  test('behavior: a comment may stand between, and a source that calls nothing has none', () => {
    expect(find('(contract-call? ;; the library\n  .lib f)')).toEqual([`${DEPLOYER}.lib`]);
    expect(find('(impl-trait .traits.ft)')).toEqual([]);
  });
});
