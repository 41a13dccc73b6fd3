// Cases about guards: guards that end a function with success, guards that write, and guards whose removal from calls
// would be wrong.
import { REGISTRY } from '../contracts.ts';
import { call, deploy, type Step } from '../program.ts';
import { type Case, caseWith, col, lateBurn, MINT_COINS, nameCase, tok, URI } from './case.ts';

const SET = '(s (string-ascii 40))';
/** Deploys a registry, and opens it by a call. The call comes before the token, so it is not recorded. */
const OPENED: readonly Step[] = [deploy('reg', REGISTRY), call('reg set-open true')];
const HELD = '(asserts! (> burn-block-height u20) (err u7))';

export const GUARDS: readonly Case[] = [
  nameCase('asserts-ok', 'reason', 'a write depends on an assertion that ends in success', [
    ...OPENED,
    tok(
      `(define-public (set-name ${SET}) (begin (asserts! (contract-call? .reg is-open) (ok true)) (var-set nm s)
  (ok true)))`,
    ),
    call('tok set-name "new"'),
  ]),
  nameCase('asserts-ok-balance', 'reason', 'a write depends on an assertion about a balance that ends in success', [
    tok(`${MINT_COINS}
(define-public (set-name ${SET}) (begin (asserts! (> (ft-get-balance coin tx-sender) u0) (ok true)) (var-set nm s)
  (ok true)))`),
    call('tok mint'),
    call('tok set-name "new"'),
  ]),
  nameCase('unwrap-ok', 'reason', 'a write depends on an unwrap that ends in success', [
    deploy(
      'reg',
      `(define-data-var opt (optional uint) none) (define-read-only (get-opt) (var-get opt))
(define-public (set-opt) (begin (var-set opt (some u1)) (ok true)))`,
    ),
    call('reg set-opt'),
    tok(
      `(define-public (set-name ${SET}) (begin (unwrap! (contract-call? .reg get-opt) (ok true)) (var-set nm s)
  (ok true)))`,
    ),
    call('tok set-name "new"'),
  ]),
  nameCase('asserts-some', 'reason', 'a write depends on an assertion in a private function', [
    ...OPENED,
    tok(`(define-private (pick) (begin (asserts! (contract-call? .reg is-open) (some "closed")) (some "open")))
(define-public (choose) (begin (var-set nm (unwrap! (pick) (err u1))) (ok true)))`),
    call('tok choose'),
  ]),
  nameCase('asserts-or-write', 'reason', 'a guard writes', [
    ...OPENED,
    tok(
      `(define-public (poke)
  (begin (asserts! (or (contract-call? .reg is-open) (var-set nm "x")) (err u1)) (ok true)))`,
    ),
    call('tok poke'),
  ]),
  nameCase('asserts-if-write', 'reason', 'a guard writes one of two things', [
    ...OPENED,
    tok(`(define-public (poke) (begin
  (asserts! (if (contract-call? .reg is-open) (var-set nm "open") (var-set nm "closed")) (err u1)) (ok true)))`),
    call('tok poke'),
  ]),
  nameCase('asserts-writes-through-call', 'reason', 'a guard writes through a function', [
    ...OPENED,
    tok(`(define-private (mark) (var-set nm (if (contract-call? .reg is-open) "open" "closed")))
(define-public (poke) (begin (asserts! (mark) (err u1)) (ok true)))`),
    call('tok poke'),
  ]),
  nameCase('asserts-writes-in-another-contract', 'right', 'a guard calls a function of another contract that writes', [
    deploy(
      'log',
      `(define-data-var last (string-ascii 40) "none") (define-read-only (get-last) (var-get last))
(define-public (add (s (string-ascii 40))) (begin (var-set last s) (ok true)))`,
    ),
    tok({
      name: '(contract-call? .log get-last)',
      more: '(define-public (poke) (begin (asserts! (is-ok (contract-call? .log add "poked")) (err u1)) (ok true)))',
    }),
    call('tok poke'),
  ]),
  nameCase('and-or-try', 'right', 'a condition contains a call whose error is forwarded', [
    tok(`(define-data-var tries uint u0)
(define-private (again) (begin (var-set tries (+ u1 (var-get tries))) (if (> (var-get tries) u9) (err u1) (ok (>
  (var-get tries) u1)))))
(define-public (go) (begin (var-set nm (if (and true (try! (again))) "again" "first")) (ok true)))`),
    call('tok go'),
    call('tok go'),
  ]),
  nameCase('unwrap-err', 'reason', 'a write depends on an unwrapped error', [
    ...OPENED,
    tok(`(define-private (closed) (if (contract-call? .reg is-open) (ok "open") (err "closed")))
(define-public (go) (begin (var-set nm (match (closed) good good bad bad)) (ok true)))
(define-public (stay) (begin (unwrap-err! (closed) (ok true)) (var-set nm "was closed") (ok true)))`),
    call('tok stay'),
  ]),
  nameCase('stripped-write', 'reason', 'a guard that writes is removed with another guard', [
    tok({
      name: '(default-to "start" (map-get? m u1))',
      more: `(define-map m uint (string-ascii 40))
(define-public (put ${SET}) (begin ${HELD} (asserts! (map-insert m u1 s) (err u8)) (ok true)))`,
    }),
    lateBurn,
    call('tok put "new"'),
  ]),
  caseWith(
    URI,
    'stripped-write-nft',
    'reason',
    'a minted token lacks its URI, because the guard that writes it is removed',
    [
      col(
        '(map-get? uris id)',
        `(define-map uris uint (string-ascii 60))
(define-public (mint (id uint) (u (string-ascii 60))) (begin ${HELD} (asserts! (map-insert uris id u) (err u8))
  (nft-mint? thing id tx-sender)))`,
      ),
      lateBurn,
      call('col mint u1 "https://a.example/1"'),
    ],
  ),
  nameCase('stripped-early-end', 'reason', 'an early end is removed with a guard', [
    tok(`(define-data-var done bool false)
(define-public (init ${SET}) (begin ${HELD} (asserts! (not (var-get done)) (ok true)) (var-set done true)
  (var-set nm s) (ok true)))`),
    lateBurn,
    call('tok init "first"'),
    call('tok init "second"'),
  ]),
  nameCase('stripped-guard-caught', 'reason', 'a guard whose error is caught is removed with another guard', [
    tok(`(define-data-var locked bool false)
(define-public (lock) (begin (var-set locked true) (ok true)))
(define-public (set-name ${SET}) (begin ${HELD} (asserts! (not (var-get locked)) (err u1))
  (if (is-eq s "") (err u9) (ok (var-set nm s)))))
(define-public (try-set ${SET}) (match (set-name s) a (ok true) b (ok true)))`),
    lateBurn,
    call('tok set-name "first"'),
    call('tok lock'),
    call('tok try-set "locked"'),
  ]),
  nameCase('stripped-of-proven-calls', 'reason', 'a guard is removed from a proven call', [
    tok(`(define-data-var rich bool false)
${MINT_COINS}
(define-public (set-name ${SET} (safe bool)) (begin
  (asserts! (or safe (> (stx-get-balance '{@whale}) u0)) (err u1))
  (asserts! (not (and safe (var-get rich))) (ok true))
  (var-set rich true) (var-set nm s) (ok true)))`),
    call('tok set-name "first" true'),
    call('tok set-name "never" true'),
    { fund: 'whale', amount: 1_000n },
    call('tok set-name "last" false'),
    call('tok set-name "never" true'),
  ]),
];
