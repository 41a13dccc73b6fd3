import { describe, expect, test } from 'vitest';
import type { EpochName } from '#model/chain.ts';
import { Evaluator, type EvaluatorRequest } from '#vm/evaluator.ts';
import { isIsolated } from '#vm/is-isolated.ts';

const DEPLOYER = 'SP2PABAF9FTAJYNFZH93XENAJ8FVY99RRM50D2JG9';
const TRAIT = '(define-trait named ((get-name () (response (string-ascii 32) uint))))';

const source = (name: string, sourceCode: string, epoch: EpochName = '2.4', clarityVersion = 2) => ({
  contractId: `${DEPLOYER}.${name}`,
  sourceCode,
  clarityVersion,
  epoch,
});
const trait = source('trait', TRAIT);
const request = (name: string, more: string, dependencies = [trait], epoch: EpochName = '2.4'): EvaluatorRequest => ({
  token: source(
    name,
    `(define-fungible-token coin)
    (define-read-only (get-name) (ok "${name}"))
    (define-read-only (get-symbol) (ok "S"))
    (define-read-only (get-decimals) (ok u6))
    (define-read-only (get-token-uri) (ok none))
    ${more}`,
    epoch,
  ),
  dependencies,
  mainnet: false,
});
const SUPPLY = '(define-read-only (get-total-supply) (ok u1))';
const impl = `(impl-trait .trait.named) ${SUPPLY}`;

/** In the order in which one thread evaluates them. */
const REQUESTS: readonly EvaluatorRequest[] = [
  request('first', impl),
  request('same-trait', impl),
  request(
    'mints',
    `(ft-mint? coin u5 tx-sender) (define-read-only (get-total-supply) (ok (+ u0 (ft-get-supply coin))))`,
  ),
  request('sees-blocks', '(define-read-only (get-total-supply) (ok block-height))'),
  request('sees-stx', '(define-read-only (get-total-supply) (ok (stx-get-balance tx-sender)))'),
  request(
    'counts',
    `(define-data-var n uint u0)
    (define-public (get-total-supply) (begin (var-set n (+ (var-get n) u1)) (ok (var-get n))))`,
  ),
  request('calls-unknown', '(define-read-only (get-total-supply) (contract-call? .first get-total-supply))', []),
  request('newer', impl, [trait], '2.5'),
  request('older-again', impl),
  request('fails-at-deploy', `${impl} (unwrap-panic (ok none))`),
  request('after-failure', impl),
  request('refused', '(define-read-only (get-total-supply) (no-such-function))'),
  request('first', impl),
];

describe('Evaluator, with sessions that are shared', () => {
  test('default: each answer is that of a session of its own', { timeout: 120_000 }, async () => {
    const [together, apart] = [new Evaluator(1), new Evaluator(1)];
    try {
      for (const one of [...REQUESTS, ...REQUESTS.toReversed()]) {
        const own = await together.evaluate(one, 60_000);
        // A token that sees the chain makes the next one begin anew.
        await apart.evaluate(request('between', '(define-read-only (get-total-supply) (ok block-height))'), 60_000);
        expect([one.token.contractId, own]).toEqual([one.token.contractId, await apart.evaluate(one, 60_000)]);
      }
    } finally {
      await Promise.all([together.close(), apart.close()]);
    }
  });
});

describe('isIsolated', () => {
  test.each([
    ['a token of a trait', REQUESTS[1], true],
    ['a token that mints', REQUESTS[2], true],
    ['names that only resemble those of the chain', request('names', `(define-constant block "stx") ${SUPPLY}`), true],
    ['a token that sees blocks', REQUESTS[3], false],
    ['a token that sees STX', REQUESTS[4], false],
    ['a contract that is not at hand', REQUESTS[6], false],
    ['a dependency with state', request('deep', SUPPLY, [source('state', '(define-data-var a uint u1)')]), false],
    [
      'a version of Clarity that is not known',
      { ...request('new', SUPPLY), token: source('new', SUPPLY, '3.4', 5) },
      false,
    ],
  ])('behavior: %s', (_, one, isolated) => {
    expect(isIsolated({ later: [], ...(one as EvaluatorRequest) })).toBe(isolated);
  });
});
