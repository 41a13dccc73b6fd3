// Cases about public getters, and about the effects of deploys: on other contracts, through constants, or of deploys
// that fail in part.
import { collection, REGISTRY, SET_NAME, setIf, token } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, caseWith, NAMED, nameCase, TOK, tok, URI } from './case.ts';

const OWNED = `(define-data-var owner principal tx-sender)
(define-public (set-owner (o principal)) (begin (asserts! (is-eq tx-sender (var-get owner)) (err u1)) (ok
  (var-set owner o))))
(define-public (set-name (s (string-ascii 40))) (begin
  (var-set nm (if (is-eq tx-sender (var-get owner)) s "refused")) (ok true)))`;
const AIRDROP = `(contract-call? .col mint u1 '{@bob}) (contract-call? .col mint u2 '{@bob})`;
const DROPPED = collection(
  '(begin (unwrap! (nft-get-owner? thing id) (err u108)) (some "https://a.example/{id}"))',
  '(define-public (mint (i uint) (to principal)) (nft-mint? thing i to))',
);
const COUNT = '(begin (var-set count (+ u1 (var-get count))) (int-to-ascii (var-get count)))';

const TEXT = '(string-ascii 40)';
const SOURCE = `(define-trait source ((get-c () (response ${TEXT} uint))))`;

export const DEPLOYS: readonly Case[] = [
  nameCase('deploy-calls-setter', 'right', "another contract's deploy sets the name", [
    TOK,
    deploy('setup', '(contract-call? .tok set-name "by a deploy") (define-constant DONE true)'),
  ]),
  nameCase('deploy-calls-setter-then-call', 'right', 'a deploy between two calls', [
    TOK,
    call('tok set-name "one"'),
    deploy('setup', '(define-constant DONE (contract-call? .tok set-name "two"))'),
    call('tok set-name "three"'),
  ]),
  nameCase('constant-of-own-variable', 'right', 'only the deploy reads a variable that calls change', [
    deploy(
      'reg',
      `(define-data-var v ${TEXT} "of the deploy") (define-constant C (var-get v)) (define-read-only (get-c) C)
      (define-public (set-v (s ${TEXT})) (ok (var-set v s)))`,
    ),
    call('reg set-v "early"'),
    tok({ name: '(contract-call? .reg get-c)' }),
    call('reg set-v "late"'),
  ]),
  nameCase('setups-of-too-many', 'reason', 'more deploys call the token than the limit of replayed deploys', [
    TOK,
    ...Array.from({ length: 260 }, (_, at) =>
      deploy(`setup-${at}`, `(contract-call? .tok set-name "setup ${at}") (define-constant DONE true)`),
    ),
  ]),
  nameCase('setup-of-unknown-version', 'reason', 'a write depends on a deploy of unknown version', [
    tok(`${setIf('(var-get open)', 'stamp')} (define-data-var open bool false)
(define-public (set-open) (ok (var-set open true)))`),
    deploy('setup', '(contract-call? .tok set-open) (define-constant DONE true)', { isBare: true }),
    call('tok stamp'),
  ]),
  nameCase('needed-token-in-part', 'right', 'another token reads a token that only partly runs', [
    deploy('gone', '(define-trait any ((get-val () (response (string-ascii 40) uint))))', { run: 'never' }),
    deploy(
      'part',
      token({ more: '(impl-trait .gone.any) (define-public (get-val) (ok "v")) (define-read-only (help) "ok")' }),
    ),
    tok({ name: '(contract-call? .part help)' }),
  ]),
  nameCase('deploy-found-after-its-state', 'right', 'a write depends on the deploy of a contract that a call names', [
    deploy('z', token({ more: `${SET_NAME} (define-public (get-c) (ok "z"))` })),
    deploy(
      'mid',
      `${SOURCE} (define-data-var v ${TEXT} "mid") (define-read-only (get-v) (var-get v))
      (define-public (copy (s <source>)) (begin (var-set v (try! (contract-call? s get-c))) (ok true)))`,
    ),
    tok(`${SOURCE} (define-public (take) (ok (var-set nm (contract-call? .mid get-v))))
      (define-public (sync (s <source>))
        (begin (asserts! (not (is-eq tx-sender .cfg)) (err u1)) (ok (var-set nm (try! (contract-call? s get-c))))))`),
    call('tok sync .z'),
    call('z set-name "renamed"'),
    deploy(
      'cfg',
      `(define-data-var c ${TEXT} (unwrap-panic (contract-call? .z get-name)))
(define-public (get-c) (ok (var-get c)))`,
    ),
    call('mid copy .cfg'),
    call('tok take'),
  ]),
  nameCase('deploy-gives-ownership', 'right', 'a deploy sets the account that may set the name', [
    tok(OWNED),
    deploy('setup', `(contract-call? .tok set-owner '{@alice}) (define-constant DONE true)`),
    call('tok set-name "by alice"', { by: 'alice' }),
  ]),
  nameCase('deploy-writes-through-a-function', 'right', 'a private function, called at deploy, sets the name', [
    TOK,
    deploy('setup', '(define-private (go) (contract-call? .tok set-name "by a deploy")) (go)'),
  ]),
  caseWith(URI, 'deploy-mints', 'right', 'a deploy mints tokens whose getter returns an error', [
    deploy('col', DROPPED),
    deploy('drop', `${AIRDROP} (define-constant DONE true)`),
  ]),
  caseWith(
    { value: 'col get-token-uri 2' },
    'deploy-without-definitions-mints',
    'right',
    'a deploy without definitions mints tokens whose getter returns an error',
    [deploy('col', DROPPED), deploy('drop', AIRDROP)],
  ),
  nameCase('derived-constant', 'reason', 'a constant depends on a constant that another contract sets', [
    deploy('reg', REGISTRY),
    call('reg set-val "set"'),
    tok({ name: 'B', more: '(define-constant A (contract-call? .reg get-val)) (define-constant B (concat A "!"))' }),
  ]),
  nameCase('derived-constant-unchanged', 'right', 'calls after the deploy do not change constants', [
    deploy('reg', REGISTRY),
    tok({ name: 'B', more: '(define-constant A (contract-call? .reg get-val)) (define-constant B (concat A "!"))' }),
    call('reg set-val "set"'),
  ]),
  nameCase(
    'variable-of-constant',
    'reason',
    'the initial value of a variable is a constant that depends on another contract',
    [
      deploy('reg', REGISTRY),
      call('reg set-val "set"'),
      tok({
        name: '(var-get v)',
        more: '(define-constant A (contract-call? .reg get-val)) (define-data-var v (string-ascii 40) A)',
      }),
    ],
  ),
  nameCase('deploy-copies-into-variable', 'reason', 'the deploy copies a changed value of another contract', [
    deploy('reg', REGISTRY),
    call('reg set-val "set"'),
    tok('(var-set nm (contract-call? .reg get-val))'),
  ]),
  nameCase('constant-of-constant-trait', 'right', 'a trait is a constant of a constant', [
    TOK,
    NAMED,
    deploy(
      'agent',
      `(use-trait named .traits.named) (define-constant A .tok) (define-constant B A)
(define-private (rename (t <named>)) (contract-call? t set-name "by an agent"))
(define-public (go) (rename B))`,
    ),
    call('agent go'),
  ]),
  nameCase('deploy-of-a-read-contract-copies', 'right', 'a deploy copies the name of another token', [
    deploy('z', token({ more: SET_NAME })),
    call('z set-name "renamed"'),
    deploy(
      'cfg',
      `(define-data-var c (string-ascii 40) (unwrap-panic (contract-call? .z get-name)))
(define-read-only (get-c) (var-get c))`,
    ),
    tok('(define-public (sync) (begin (var-set nm (contract-call? .cfg get-c)) (ok true)))'),
    call('tok sync'),
  ]),
  nameCase(
    'deploy-of-a-contract-read-later-copies',
    'right',
    'a deploy after the token copies the name of another token',
    [
      deploy('z', token({ more: SET_NAME })),
      tok(`(define-trait source ((get-c () (response (string-ascii 40) uint))))
(define-public (sync (s <source>)) (begin (var-set nm (try! (contract-call? s get-c))) (ok true)))`),
      call('z set-name "renamed"'),
      deploy(
        'cfg',
        `(define-data-var c (string-ascii 40) (unwrap-panic (contract-call? .z get-name)))
(define-public (get-c) (ok (var-get c)))`,
      ),
      call('tok sync .cfg'),
    ],
  ),
  nameCase('dependency-partly-deployed', 'reason', 'the deploy of a dependency needs STX', [
    { fund: 'deployer', amount: 5_000n },
    deploy(
      'dep',
      `(define-data-var val (string-ascii 40) "unpaid") (define-read-only (get-val) (var-get val))
(unwrap-panic (stx-transfer? u5 tx-sender '{@treasury})) (var-set val "paid")`,
    ),
    tok({ name: '(contract-call? .dep get-val)' }),
  ]),
  nameCase('token-partly-deployed', 'reason', 'the deploy of the token needs STX', [
    { fund: 'deployer', amount: 5_000n },
    tok(`(unwrap-panic (stx-transfer? u5 tx-sender '{@treasury})) (var-set nm "paid")`),
  ]),
  nameCase(
    'missing-dependency-deploy',
    'reason',
    'the deploy of a dependency calls a contract missing in the archive',
    [
      deploy('gone', '(define-public (ping) (ok true))', { run: 'never' }),
      deploy(
        'dep',
        `(define-data-var val (string-ascii 40) "unset") (define-read-only (get-val) (var-get val))
(contract-call? .gone ping) (var-set val "set")`,
      ),
      tok({ name: '(contract-call? .dep get-val)' }),
    ],
  ),
  nameCase('missing-trait', 'reason', 'a dependency implements a trait missing in the archive', [
    deploy('gone', '(define-trait any ((get-val () (response (string-ascii 40) uint))))', { run: 'never' }),
    deploy(
      'dep',
      `(impl-trait .gone.any) (define-data-var val (string-ascii 40) "unset")
(define-public (get-val) (ok (var-get val))) (define-read-only (read-val) (var-get val)) (var-set val "set")`,
    ),
    tok({ name: '(contract-call? .dep read-val)' }),
  ]),
  caseWith(
    { value: 'tok get-symbol' },
    'public-getters-change',
    'right',
    'a public getter changes the result of another getter',
    [tok({ name: COUNT, symbol: COUNT, isPublic: ['name', 'symbol'], more: '(define-data-var count uint u0)' })],
  ),
  nameCase('refused-deploy-then-again', 'right', 'a failed deploy has no effect', [
    deploy('tok', '(define-data-var nm uint u1) (contract-call? .nowhere ping)'),
    TOK,
    call('tok set-name "new"'),
  ]),
];
