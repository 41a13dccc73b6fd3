import { expect, test } from 'vitest';
import type { CalledFunction } from '#clarity/effects.ts';
import { readEffects } from '#clarity/read-effects.ts';

const DEPLOYER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';
const OTHER = 'SP000000000000000000002Q6VF78';

const ID = `${DEPLOYER}.token`;
const [lib, other] = [`${DEPLOYER}.lib`, `${OTHER}.lib`];
const NOTHING = { isPublic: false, reads: [], guards: [], writes: [], calls: [], contractIds: [] };

const describeCalls = (calls: readonly CalledFunction[]) =>
  calls.map(({ contractId, functionName, role }) => [role, contractId, functionName]);

function effectsOf(source: string) {
  return Object.fromEntries(
    [...readEffects(source, ID)].map(([name, effects]) => [
      name,
      {
        ...effects,
        reads: [...effects.reads],
        guards: effects.guards.map(({ reads, calls }) => [...reads, ...describeCalls(calls)]),
        writes: [...effects.writes],
        calls: describeCalls(effects.calls),
        contractIds: [...effects.contractIds],
      },
    ]),
  );
}

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

test('excludes functions that only traits and maps name from the deploy', () => {
  const source = `
      (use-trait get-uri .traits.uri)
      (define-trait uri ((get-uri () (response uint uint))))
      (define-map uris {get-uri: uint} uint)
      (define-read-only (get-uri) (contract-call? .lib first))`;
  expect(effectsOf(source)['']).toEqual(NOTHING);
});

test('gives a constant that names contracts the effects of a function', () => {
  const source = '(define-constant a .lib) (define-constant b a) (define-constant c u1) (define-public (get) (ok b))';
  expect(effectsOf(source)).toMatchObject({
    get: { calls: [['value', ID, '$constant b']] },
    '$constant b': { ...NOTHING, calls: [['value', ID, '$constant a']] },
    '$constant a': { ...NOTHING, contractIds: [lib] },
  });
});

test('treats a constant that a call computes as a variable', () => {
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

test('treats constants that depend on a computed constant as variables', () => {
  const source = `
      (define-constant FIRST (contract-call? .lib first))
      (define-constant SECOND (concat FIRST "!"))
      (define-data-var third (string-ascii 9) SECOND)`;
  expect(effectsOf(source)['']?.writes.toSorted()).toEqual(['FIRST', 'SECOND', 'third']);
});

const HELPED = ['result', ID, 'helper'];
test.each([
  ['(map-get? uris u1)', { reads: ['uris'] }],
  ['(map-set uris u1 "a")', { writes: ['uris'] }],
  ['(map-delete uris u1)', { reads: ['uris'], writes: ['uris'] }],
  ['(map-insert uris u1 "a")', { reads: ['uris'], writes: ['uris'] }],
  ['(let ((a (begin (var-set deep u1) u2))) (ok {b: (var-get within)}))', { reads: ['within'], writes: ['deep'] }],
  ['(map helper (list u1))', { calls: [['value', ID, 'helper']] }],
  ['(begin ;; (var-set owner tx-sender)\n "(var-get owner)")', {}],
  ['(contract-call? .lib do u1)', { calls: [['result', lib, 'do']], contractIds: [lib] }],
  [`(contract-call? '${other} do u1)`, { calls: [['result', other, 'do']], contractIds: [other] }],
  ['(contract-call? passed do u1)', { calls: [['result', undefined, 'do']] }],
  ['(let ((it .lib)) (contract-call? it do))', { calls: [['result', undefined, 'do']], contractIds: [lib] }],
  [
    '(contract-call? CONSTANT do)',
    {
      calls: [
        ['result', undefined, 'do'],
        ['value', ID, '$constant CONSTANT'],
      ],
    },
  ],
  ['(begin (asserts! (is-eq (var-get a) tx-sender) (err u1)) (ok (var-get b)))', { guards: [['a']], reads: ['b'] }],
  ['(begin (asserts! (is-eq (var-get a) u1) ERR) (ok true))', { guards: [['a']] }],
  ['(begin (asserts! (is-eq (var-get a) u1) (ok true)) (ok true))', { reads: ['a'] }],
  ['(begin (asserts! (or (var-get a) (var-set b u1)) (err u1)) (ok true))', { reads: ['a'], writes: ['b'] }],
  ['(begin (asserts! (unwrap! (var-get a) (ok true)) (err u1)) (ok true))', { reads: ['a'] }],
  ['(begin (asserts! (helper u1) (err u1)) (ok true))', { guards: [[['value', ID, 'helper']]] }],
  ['(begin (try! (helper (var-get a))) (ok true))', { guards: [['a', HELPED]] }],
  ['(begin (try! (if (var-get a) (helper u1) (ok true))) (ok true))', { guards: [['a', HELPED]] }],
  ['(if (var-get a) (ok (var-get b)) (err u1))', { guards: [['a']], reads: ['b'] }],
  ['(if (var-get a) (ok (var-get b)) (ok u1))', { reads: ['b', 'a'] }],
  ['(if (map-delete uris u1) (ok u1) (ok u2))', { reads: ['uris'], writes: ['uris'] }],
  ['(nft-mint? n u1 tx-sender)', { guards: [['n:exists']], writes: ['::n', 'n:exists'] }],
  ['(ok (is-ok (ft-burn? ft u1 tx-sender)))', { reads: ['::ft'], writes: ['::ft'] }],
  ['(ok (is-ok (stx-transfer? u1 tx-sender tx-sender)))', { reads: ['$stx'], writes: ['$stx'] }],
  ['(ok (> burn-block-height (stx-get-balance tx-sender)))', { reads: ['$stx', '$burn'] }],
  ['(ok (try! (helper u1)))', { calls: [HELPED] }],
  ['(ok (helper u1))', { calls: [['value', ID, 'helper']] }],
  ['(match (helper u1) a (helper a) b (err b))', { calls: [HELPED] }],
  ['(contract-call?', {}],
])('%s', (body, effects) => {
  const source = `(define-constant FIRST .lib) (define-constant CONSTANT FIRST) (define-constant ERR (err u1))
      (define-private (helper (a uint)) a)
      (define-public (f (passed <t>)) ${body})`;
  expect(effectsOf(source).f).toEqual({ ...NOTHING, isPublic: true, ...effects });
});
