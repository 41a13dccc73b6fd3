// Cases that have passed since they were written, about proxies, proposals, folds, rollbacks and orphans.
import { MINT, REGISTRY, SET_NAME } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { AGENT, type Case, caseWith, col, NAMED, nameCase, TOK, TWICE, tok, URI } from './case.ts';

const GUARDED = `(define-data-var owner principal tx-sender)
(define-public (set-owner (o principal)) (begin (asserts! (is-eq tx-sender (var-get owner)) (err u1)) (ok
  (var-set owner o))))
(define-public (set-name (s (string-ascii 40))) (begin (asserts! (is-eq tx-sender (var-get owner)) (err u2)) (ok
  (var-set nm s))))`;

export const HOLDING: readonly Case[] = [
  nameCase('setter', 'right', 'a function sets the name', [TOK, call('tok set-name "new"')]),
  nameCase('guarded-setter', 'right', 'the owner, who may set the name, changes', [
    tok(GUARDED),
    call('tok set-name "one"'),
    call(`tok set-owner '{@alice}`),
    call('tok set-name "refused"'),
    call('tok set-name "two"', { by: 'alice' }),
  ]),
  nameCase('proxy', 'right', 'another contract sets the name', [
    TOK,
    deploy('proxy', '(define-public (pass (s (string-ascii 40))) (contract-call? .tok set-name s))'),
    call('proxy pass "passed"'),
  ]),
  nameCase('trait-argument', 'right', 'the token is an argument', [TOK, NAMED, AGENT, call('agent go .tok')]),
  nameCase('nested-trait-argument', 'right', 'the token is in a tuple in a list', [
    TOK,
    NAMED,
    deploy(
      'agent',
      `(use-trait named .traits.named)
(define-private (each (t <named>) (done uint)) (begin (is-ok (contract-call? t set-name "each")) (+ done u1)))
(define-public (go (all (list 3 <named>))) (ok (fold each all u0)))`,
    ),
    call('agent go (list .tok)'),
  ]),
  nameCase('optional-trait-argument', 'right', 'the token is optional', [
    TOK,
    NAMED,
    deploy(
      'agent',
      `(use-trait named .traits.named)
(define-public (go (t (optional <named>))) (match t it (contract-call? it set-name "some") (ok false)))`,
    ),
    call('agent go (some .tok)'),
  ]),
  nameCase('trait-by-let', 'right', 'the token is in a tuple and bound to another name', [
    TOK,
    NAMED,
    deploy(
      'agent',
      `(use-trait named .traits.named)
(define-public (go (all {t: <named>})) (let ((it (get t all))) (contract-call? it set-name "from a tuple")))`,
    ),
    call('agent go {t: .tok}'),
  ]),
  nameCase('older-agent', 'right', 'the contract that receives the token is older', [
    NAMED,
    AGENT,
    TOK,
    call('agent go .tok'),
  ]),
  nameCase('proposal', 'right', 'a proposal sets the name', [
    tok(GUARDED),
    deploy(
      'dao',
      `(define-trait proposal ((execute () (response bool uint))))
(define-public (run (p <proposal>)) (as-contract (contract-call? p execute)))`,
    ),
    deploy('prop', '(impl-trait .dao.proposal) (define-public (execute) (contract-call? .tok set-name "voted"))'),
    call('tok set-owner .dao'),
    call('dao run .prop'),
  ]),
  nameCase('constant-trait', 'right', 'a trait is a constant', [
    TOK,
    NAMED,
    deploy(
      'agent',
      `(use-trait named .traits.named) (define-constant A .tok)
(define-private (rename (t <named>)) (contract-call? t set-name "by an agent"))
(define-public (go) (rename A))`,
    ),
    call('agent go'),
  ]),
  nameCase('trait-by-name', 'right', 'a contract passes the token by name as a trait', [
    TOK,
    NAMED,
    deploy(
      'admin',
      `(use-trait named .traits.named)
(define-private (rename (t <named>) (s (string-ascii 40))) (contract-call? t set-name s))
(define-public (pass (s (string-ascii 40))) (rename .tok s))`,
    ),
    call('admin pass "named"'),
  ]),
  nameCase('fold', 'right', 'a fold writes the last item of a list', [
    tok(`(define-private (each (s (string-ascii 40)) (done uint)) (begin (var-set nm s) (+ done u1)))
(define-public (all (l (list 3 (string-ascii 40)))) (ok (fold each l u0)))`),
    call('tok all (list "a" "b" "c")'),
  ]),
  nameCase('map-entry', 'right', 'calls add and remove map entries', [
    tok({
      name: '(default-to "nothing" (map-get? m u1))',
      more: `(define-map m uint (string-ascii 40))
(define-public (put (s (string-ascii 40))) (begin (map-set m u1 s) (ok true)))
(define-public (drop) (begin (map-delete m u1) (ok true)))`,
    }),
    call('tok put "one"'),
    call('tok drop'),
  ]),
  nameCase('private-function', 'right', 'a private function sets the name', [
    tok(`(define-private (put (s (string-ascii 40))) (var-set nm s))
(define-public (go (s (string-ascii 40))) (ok (put s)))`),
    call('tok go "put"'),
  ]),
  nameCase('error-rolls-back', 'right', 'a call that returns an error has no effect', [
    tok(`${SET_NAME} (define-public (fail) (begin (var-set nm "never") (err u1)))`),
    call('tok set-name "kept"'),
    call('tok fail'),
  ]),
  nameCase('caught-error-rolls-back', 'right', 'an inner error is caught, and its writes are rolled back', [
    tok(`${SET_NAME} (define-public (fail) (begin (var-set nm "never") (if true (err u1) (ok true))))`),
    deploy('proxy', '(define-public (go) (match (contract-call? .tok fail) a (ok true) e (ok false)))'),
    call('tok set-name "kept"'),
    call('proxy go'),
  ]),
  nameCase('aborted-by-post-condition', 'right', 'a call aborted by post-conditions has no effect', [
    TOK,
    call('tok set-name "kept"'),
    call('tok set-name "never"', { isAborted: true }),
  ]),
  nameCase('orphaned-call', 'right', 'a call on an orphaned block has no effect', [
    TOK,
    call('tok set-name "kept"'),
    { fork: [[call('tok set-name "orphaned"')], [call('tok set-name "orphaned twice"')]] },
  ]),
  nameCase('orphaned-deploy', 'right', 'a setup on an orphaned block has no effect', [
    TOK,
    call('tok set-name "kept"'),
    { fork: [[deploy('setup', '(contract-call? .tok set-name "orphaned") (define-constant DONE true)')]] },
  ]),
  caseWith(TWICE, 'orphaned-later', 'right', 'an orphan that arrives in a second run', [
    TOK,
    { fork: [[call('tok set-name "orphaned"')]], run: 1 },
    call('tok set-name "kept"'),
  ]),
  nameCase('sender-decides', 'right', 'a write depends on the sender', [
    tok(`(define-public (go) (begin (var-set nm (if (is-eq tx-sender '{@alice}) "alice" "other")) (ok true)))`),
    call('tok go'),
    call('tok go', { by: 'alice' }),
  ]),
  nameCase('caller-decides', 'right', 'a write depends on the calling contract', [
    tok('(define-public (go) (begin (var-set nm (if (is-eq contract-caller tx-sender) "direct" "passed")) (ok true)))'),
    deploy('proxy', '(define-public (pass) (contract-call? .tok go))'),
    call('tok go'),
    call('proxy pass'),
  ]),
  nameCase('registry-read-by-getter', 'right', 'a registry of the same deployer is set after the deploy of the token', [
    deploy('reg', REGISTRY),
    tok({ name: '(contract-call? .reg get-val)' }),
    call('reg set-val "one"'),
    call('reg set-val "two"'),
  ]),
  caseWith({ value: 'col get-token-uri 2' }, 'uris-of-mints', 'right', 'each mint writes a URI', [
    col(
      '(map-get? uris id)',
      `(define-map uris uint (string-ascii 40))
(define-public (mint (u (string-ascii 40))) (let ((id (+ u1 (var-get last)))) (var-set last id) (map-set uris id u)
  (nft-mint? thing id tx-sender)))`,
    ),
    call('col mint "https://a.example/one"'),
    call('col mint "https://a.example/two"'),
  ]),
  caseWith(URI, 'reveal', 'right', 'a base URI changes after the mints', [
    col(
      '(some (var-get base))',
      `(define-data-var base (string-ascii 40) "https://hidden.example/{id}")
${MINT} (define-public (reveal) (begin (var-set base "https://shown.example/{id}") (ok true)))`,
    ),
    call('col mint'),
    call('col reveal'),
    call('col mint'),
  ]),
  caseWith({ ...URI, ...TWICE, last: 1 }, 'minted-again', 'right', 'a token is burned, and minted again', [
    col(
      '(map-get? uris id)',
      `(define-map uris uint (string-ascii 40))
(define-public (mint (id uint) (u (string-ascii 40))) (begin (map-set uris id u) (nft-mint? thing id tx-sender)))
(define-public (burn (id uint)) (nft-burn? thing id tx-sender))`,
    ),
    call('col mint u1 "https://a.example/one"'),
    call('col burn u1'),
    call('col mint u1 "https://a.example/two"', { run: 1 }),
  ]),
  caseWith({ epoch: '4.0' }, 'call-of-a-constant', 'right', 'a constant holds the called contract', [
    TOK,
    deploy(
      'proxy',
      `(define-constant ONE .tok) (define-constant TARGET ONE)
(define-public (go) (contract-call? TARGET set-name "through a constant"))`,
      { clarity: 5 },
    ),
    deploy('setup', '(define-constant TARGET .tok) (contract-call? TARGET set-name "by a deploy")', { clarity: 5 }),
    call('proxy go'),
  ]),
  nameCase('old-names', 'right', 'a source of version 1 defines names that later versions reserve', [
    tok(
      `(define-data-var tenure-height (string-ascii 40) "first")
(define-read-only (stacks-block-height) (var-get tenure-height))
(define-public (stx-account (s (string-ascii 40))) (begin (var-set nm (stacks-block-height)) (ok
  (var-set tenure-height s))))`,
      { clarity: 1 },
    ),
    call('tok stx-account "second"'),
    call('tok stx-account "third"'),
  ]),
];
