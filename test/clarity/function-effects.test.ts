import { describe, expect, test } from 'vitest';
import { findCalledContracts } from '#clarity/find-called-contracts.ts';
import { readEffects } from '#clarity/function-effects.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

const ID = `${DEPLOYER}.token`;
const NOTHING = { isPublic: false, reads: [], guardReads: [], writes: [], calls: [], contractIds: [] };

function effectsOf(source: string) {
  return Object.fromEntries(
    [...readEffects(source, ID)].map(([name, effects]) => [
      name,
      {
        ...effects,
        reads: [...effects.reads],
        guardReads: [...effects.guardReads],
        writes: [...effects.writes],
        calls: effects.calls.map(({ contractId, functionName, role }) => [role, contractId, functionName]),
        contractIds: [...effects.contractIds],
      },
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
      (define-private (is-owner) (is-eq tx-sender (var-get owner)))
      (map-set uris u1 (contract-call? .lib first))`;
    expect(effectsOf(source)).toEqual({
      'get-owner': { ...NOTHING, reads: ['owner'] },
      'set-owner': { ...NOTHING, isPublic: true, writes: ['owner'] },
      'is-owner': { ...NOTHING, reads: ['owner'] },
      '': {
        ...NOTHING,
        writes: ['uris'],
        calls: [['value', `${DEPLOYER}.lib`, 'first']],
        contractIds: [`${DEPLOYER}.lib`],
      },
    });
  });

  test('behavior: a constant that a call computes is one more variable', () => {
    const source = `
      (define-constant FIRST (contract-call? .lib first))
      (define-constant PLAIN u1)
      (define-data-var second uint (first-of u1))
      (define-private (first-of (a uint)) a)
      (define-read-only (get) (list FIRST PLAIN))`;
    const effects = effectsOf(source);
    expect(effects['']?.writes).toEqual(['second', 'FIRST']);
    expect(effects.get?.reads).toEqual(['FIRST']);
  });

  const lib = `${DEPLOYER}.lib`;
  test.each([
    ['(map-get? uris u1)', { reads: ['uris'] }],
    ['(map-set uris u1 "a")', { writes: ['uris'] }],
    ['(map-delete uris u1)', { writes: ['uris'] }],
    ['(map-insert uris u1 "a")', { reads: ['uris'], writes: ['uris'] }],
    ['(let ((a (begin (var-set deep u1) u2))) (ok {b: (var-get within)}))', { reads: ['within'], writes: ['deep'] }],
    ['(map helper (list u1))', { calls: [['value', ID, 'helper']] }],
    ['(begin ;; (var-set owner tx-sender)\n "(var-get owner)")', {}],
    ['(contract-call? .lib do u1)', { calls: [['result', lib, 'do']], contractIds: [lib] }],
    [
      `(contract-call? '${OTHER}.lib do u1)`,
      { calls: [['result', `${OTHER}.lib`, 'do']], contractIds: [`${OTHER}.lib`] },
    ],
    ['(contract-call? passed do u1)', { calls: [['result', undefined, 'do']] }],
    ['(let ((it .lib)) (contract-call? it do))', { calls: [['result', undefined, 'do']], contractIds: [lib] }],
    ['(contract-call? CONSTANT do)', { calls: [['result', undefined, 'do']], contractIds: [lib] }],
    ['(begin (asserts! (is-eq (var-get a) tx-sender) (err u1)) (ok (var-get b)))', { guardReads: ['a'], reads: ['b'] }],
    ['(begin (asserts! (helper u1) (err u1)) (ok true))', { calls: [['guard', ID, 'helper']] }],
    ['(begin (try! (helper (var-get a))) (ok true))', { calls: [['success', ID, 'helper']], reads: ['a'] }],
    [
      '(begin (try! (if (var-get a) (helper u1) (ok true))) (ok true))',
      { calls: [['result', ID, 'helper']], reads: ['a'] },
    ],
    ['(ok (try! (helper u1)))', { calls: [['result', ID, 'helper']] }],
    ['(ok (helper u1))', { calls: [['value', ID, 'helper']] }],
    [
      '(match (helper u1) a (helper a) b (err b))',
      {
        calls: [
          ['result', ID, 'helper'],
          ['value', ID, 'helper'],
        ],
      },
    ],
    ['(contract-call?', {}],
  ])('behavior: %s', (body, effects) => {
    const source = `(define-constant CONSTANT .lib)
      (define-private (helper (a uint)) a)
      (define-public (f (passed <t>)) ${body})`;
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
