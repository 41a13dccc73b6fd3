// Cases in which a write depends on the state of a registry, which was called before the token existed. Each case
// depends on the state in a different way. The status must always report that these calls were not recorded.
import { REGISTRY, SET_NAME, setIf, token } from '../contracts.ts';
import { call, deploy, type Step } from '../program.ts';
import { type Case, nameCase, tok } from './case.ts';

const OPENED: readonly Step[] = [deploy('reg', REGISTRY), call('reg set-open true'), call('reg set-val "set"')];
const OPEN = '(contract-call? .reg is-open)';
const VAL = '(contract-call? .reg get-val)';
const TEXT = '(string-ascii 40)';

/** Returns a case whose token has the definitions `more`, and whose function `go` is called once. */
const decided = (name: string, about: string, more: string, getter?: string): Case =>
  nameCase(name, 'reason', about, [
    ...OPENED,
    tok({ more, ...(getter === undefined ? {} : { name: getter }) }),
    call('tok go'),
  ]);

const go = (body: string) => `(define-public (go) (begin ${body} (ok true)))`;
const CHECK = `(define-private (check) (begin (asserts! ${OPEN} (err "closed")) (ok "open")))`;

const FORMS: readonly Case[] = [
  decided('by-if', 'an `if`', setIf(OPEN, 'go')),
  decided('by-and', 'an `and` that writes', go(`(and ${OPEN} (var-set nm "open"))`)),
  decided('by-or', 'an `or` that writes', go(`(or ${OPEN} (var-set nm "closed"))`)),
  decided(
    'by-let',
    'a `let`',
    `(define-public (go) (let ((v ${VAL})) (asserts! (not (is-eq v "")) (err u1)) (var-set nm v) (ok true)))`,
  ),
  decided(
    'by-match',
    'a `match` on a private function',
    `${CHECK} ${go('(var-set nm (match (check) good good bad bad))')}`,
  ),
  decided(
    'by-is-ok',
    'an error that is only tested',
    `${CHECK} ${go('(var-set nm (if (is-ok (check)) "open" "closed"))')}`,
  ),
  decided(
    'by-thrown-value',
    'the value that an assertion throws',
    `(define-private (check) (begin (asserts! false (err ${VAL}))
  (ok "z"))) ${go('(var-set nm (match (check) good good bad bad))')}`,
  ),
  decided(
    'by-caught-public-function',
    'a caught error of a public function',
    `(define-public (check) (begin (asserts! ${OPEN} (err u1)) (var-set nm "open")
  (ok true))) ${go('(match (check) good true bad false)')}`,
  ),
  decided(
    'by-private-that-ends-early',
    'a private function that writes after an assertion',
    `(define-private (check) (begin (asserts! ${OPEN} (err u1)) (ok (var-set nm "open")))) (define-public (go) (ok
  (is-ok (check))))`,
  ),
  decided(
    'by-early-success',
    'a private function that ends in success before it writes',
    `(define-private (check) (begin (asserts! ${OPEN} (ok false)) (var-set nm "open") (ok (is-eq u1 u1))))
(define-public (go) (begin (try! (if true (check) (err u1))) (ok true)))`,
  ),
  decided(
    'by-fold',
    'a `fold`',
    `(define-private (each (s ${TEXT}) (n uint)) (if ${OPEN} (begin (var-set nm s) n) n))
(define-public (go) (ok (is-eq u0 (fold each (list "a" "b") u0))))`,
  ),
  decided(
    'by-filter',
    'a `filter`',
    `(define-private (each
  (s ${TEXT})) ${OPEN}) ${go('(var-set nm (default-to "none" (element-at? (filter each (list "a" "b")) u0)))')}`,
  ),
  decided(
    'by-map-key',
    'the key of a map',
    `(define-map m ${TEXT} ${TEXT}) ${go(`(map-set m ${VAL} "found")`)}`,
    '(default-to "none" (map-get? m "set"))',
  ),
  decided('by-constant', 'a constant of the deploy', `(define-constant K ${OPEN}) ${setIf('K', 'go')}`),
  decided(
    'by-constant-of-function',
    'a constant that a private function computes',
    `(define-private (look) ${VAL}) (define-constant K (look)) ${go('true')}`,
    'K',
  ),
  decided(
    'by-constant-of-a-later-one',
    'a constant that uses a constant defined later',
    `(define-constant C (concat B "?")) (define-constant B (concat A "!")) (define-constant A ${VAL}) ${go('true')}`,
    'C',
  ),
  decided(
    'by-key-like-a-function',
    'a tuple key with the name of a function that forwards errors',
    `${CHECK} ${go('(let ((t (tuple (try! (check))))) (var-set nm (match (get try! t) good good bad bad)))')}`,
  ),
  decided(
    'by-first-value',
    'the first value of a variable',
    `(define-data-var v ${TEXT} ${VAL}) ${go('true')}`,
    '(var-get v)',
  ),
  decided(
    'by-map-at-deploy',
    'an entry that the deploy writes',
    `(define-map m uint ${TEXT}) (map-set m u1 ${VAL}) ${go('true')}`,
    '(default-to "none" (map-get? m u1))',
  ),
  decided(
    'by-function-at-deploy',
    'a function that the deploy calls',
    `(define-private (init) (var-set nm ${VAL})) (init) ${go('true')}`,
  ),
];

const MIDDLE = deploy(
  'mid',
  `(define-data-var v ${TEXT} "mid") (define-read-only (get-v) (var-get v)) (define-public (sync) (begin
  (var-set v ${VAL}) (ok true)))`,
);
const SYNC = token({ more: '(define-public (sync) (begin (var-set nm (contract-call? .mid get-v)) (ok true)))' });

const CHAINS: readonly Case[] = [
  nameCase('by-copies', 'reason', 'a copy of a copy', [
    ...OPENED,
    MIDDLE,
    call('mid sync'),
    deploy('tok', SYNC),
    call('tok sync'),
  ]),
  nameCase('by-copies-after-the-token', 'reason', 'a copy of a copy that is made after the deploy of the token', [
    ...OPENED,
    MIDDLE,
    deploy('tok', SYNC),
    call('mid sync'),
    call('tok sync'),
  ]),
  nameCase('by-first-value-of-another', 'reason', 'the first value of a variable of another contract', [
    ...OPENED,
    deploy('mid', `(define-data-var v ${TEXT} ${VAL}) (define-read-only (get-v) (var-get v))`),
    tok({ name: '(contract-call? .mid get-v)' }),
  ]),
  nameCase('by-constant-of-another', 'reason', 'a constant of another contract', [
    ...OPENED,
    deploy('mid', `(define-constant V ${VAL}) (define-read-only (get-v) V)`),
    tok({ name: '(contract-call? .mid get-v)' }),
  ]),
  nameCase(
    'by-setup-of-an-older-registry-in-one-block',
    'reason',
    'a setup contract in the same block as the registry and the token',
    [
      {
        block: [
          deploy('reg', REGISTRY),
          deploy('setup', '(contract-call? .reg set-val "by a deploy") (define-constant DONE true)'),
          tok({ name: VAL }),
        ],
      },
    ],
  ),
  nameCase('by-guard-alone', 'right', 'a registry that only a guard reads, so that it can only fail a call', [
    ...OPENED,
    tok(`(define-public (set-name (s ${TEXT})) (begin (asserts! ${OPEN} (err u1)) (var-set nm s) (ok true)))`),
    call('tok set-name "new"'),
  ]),
  nameCase('by-nothing', 'right', 'a registry that no getter and no writer reads', [
    ...OPENED,
    tok(`${SET_NAME} (define-public (other) (ok ${OPEN}))`),
    call('tok set-name "new"'),
    call('tok other'),
  ]),
];

export const DECIDED: readonly Case[] = [...FORMS, ...CHAINS];
