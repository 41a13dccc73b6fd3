// Cases in which calls are missing or were not recorded. Causes are gaps, limits, contracts older than the token, and
// references to contracts that are deployed later.
import { REGISTRY, SET_NAME, token } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import {
  AGENT,
  type Case,
  caseWith,
  col,
  MINT_ANY,
  MINT_COINS,
  NAMED,
  nameCase,
  READER,
  SUPPLY,
  TOK,
  tok,
  URI,
} from './case.ts';

/** Deploys a registry, and an agent that sets the value of the registry passed to it. */
const REGISTRY_WITH_AGENT = [
  deploy('valued', '(define-trait valued ((set-val ((string-ascii 40)) (response bool uint))))'),
  deploy('reg', REGISTRY),
  deploy(
    'agent',
    '(use-trait valued .valued.valued) (define-public (go (t <valued>)) (contract-call? t set-val "by an agent"))',
  ),
];
/** Deploys an agent that no archive contains. It sets the name of the token passed to it. */
const UNKNOWN_AGENT = [NAMED, AGENT].map((step) => ({ ...step, run: 'never' }) as const);

const PASSES = '(define-public (go) (contract-call? .proxy pass "passed on"))';
const PROXY_OF_TOO_MANY = [
  TOK,
  deploy('proxy', '(define-public (pass (s (string-ascii 40))) (contract-call? .tok set-name s))'),
  ...Array.from({ length: 51 }, (_, at) => deploy(`caller-${at}`, PASSES)),
];

export const OLDER: readonly Case[] = [
  nameCase('gap-above-deploy', 'reason', 'a block with a call is missing', [
    TOK,
    call('tok set-name "missing"', { run: 'never' }),
  ]),
  nameCase('gap-between-calls', 'reason', 'a block between two calls is missing', [
    tok({ more: SET_NAME, symbol: '(var-get nm)' }),
    call('tok set-name "one"'),
    call('tok set-name "missing"', { run: 'never' }),
  ]),
  nameCase('gap-with-proxy', 'reason', 'the deploy of a proxy is missing, and the token is called through it', [
    TOK,
    deploy('proxy', '(define-public (pass) (contract-call? .tok set-name "passed"))', { run: 'never' }),
    call('proxy pass'),
  ]),
  caseWith(SUPPLY, 'gap-with-mints', 'reason', 'a block with a mint is missing, so the sum of mints is unknown', [
    tok(MINT_COINS),
    call('tok mint', { run: 'never' }),
  ]),
  nameCase(
    'orphan-next-to-gap',
    'reason',
    'of two blocks with the same parent, only the orphaned block is in the archive',
    [TOK, { fork: [[call('tok set-name "orphaned"')]] }, { mine: 'stacks', count: 1, run: 'never' }],
  ),
  nameCase('agent-before-archive', 'reason', 'a contract from before the archive receives the token', [
    ...UNKNOWN_AGENT,
    TOK,
    call('agent go .tok'),
  ]),
  nameCase(
    'agent-before-archive-twice',
    'reason',
    'a contract from before the archive receives one token, then another',
    [...UNKNOWN_AGENT, deploy('other', token({ more: SET_NAME })), TOK, call('agent go .other'), call('agent go .tok')],
  ),
  nameCase('agent-before-archive-in-code', 'reason', 'code passes the token to a contract from before the archive', [
    ...UNKNOWN_AGENT,
    TOK,
    deploy('passer', '(define-public (pass) (contract-call? .agent go .tok))'),
    call('passer pass'),
  ]),
  nameCase(
    'agent-before-archive-and-token',
    'reason',
    'an unknown contract received the registry before the deploy of the token',
    [
      ...UNKNOWN_AGENT,
      deploy('reg', `${REGISTRY} (define-public (set-name (s (string-ascii 40))) (set-val s))`),
      call('agent go .reg'),
      READER,
    ],
  ),
  nameCase('older-registry', 'right', 'a registry older than the token, without calls', [
    deploy('reg', REGISTRY),
    READER,
  ]),
  nameCase('older-registry-set-later', 'right', 'a registry older than the token, called only after its deploy', [
    deploy('reg', REGISTRY),
    READER,
    call('reg set-val "set"'),
  ]),
  nameCase('older-registry-set-before', 'reason', 'a registry called before the deploy of the token', [
    deploy('reg', REGISTRY),
    call('reg set-val "set"'),
    READER,
  ]),
  nameCase(
    'older-registry-set-before-by-proxy',
    'reason',
    'a registry called by a proxy before the deploy of the token',
    [
      deploy('reg', REGISTRY),
      deploy('proxy', '(define-public (pass) (contract-call? .reg set-val "by a proxy"))'),
      call('proxy pass'),
      READER,
    ],
  ),
  nameCase('older-registry-next-to-agent', 'right', 'an agent could set the registry, but never receives it', [
    ...REGISTRY_WITH_AGENT,
    READER,
  ]),
  nameCase('older-registry-passed-before', 'reason', 'the registry was an argument before the deploy of the token', [
    ...REGISTRY_WITH_AGENT,
    call('agent go .reg'),
    READER,
  ]),
  nameCase('older-registry-passed-by-code', 'reason', 'code passed the registry before the deploy of the token', [
    ...REGISTRY_WITH_AGENT,
    deploy('passer', '(define-public (pass) (contract-call? .agent go .reg))'),
    call('passer pass'),
    READER,
  ]),
  nameCase('older-registry-passed-by-deploy', 'reason', 'a deploy passed the registry before the deploy of the token', [
    ...REGISTRY_WITH_AGENT,
    deploy('setup', '(contract-call? .agent go .reg)'),
    READER,
  ]),
  nameCase(
    'older-registry-passed-by-likeness',
    'reason',
    'a function named like `contract-call?` receives the registry',
    [
      ...REGISTRY_WITH_AGENT,
      deploy(
        'passer',
        `(use-trait valued .valued.valued)
      (define-private (via-contract-call? (t <valued>)) (contract-call? .agent go t))
      (define-public (pass) (via-contract-call? .reg))`,
      ),
      call('passer pass'),
      READER,
    ],
  ),
  nameCase('older-registry-passed-after-comment', 'reason', 'a comment before the registry ends like a call', [
    ...REGISTRY_WITH_AGENT,
    deploy('passer', '(define-public (pass) (contract-call? .agent go ;; (contract-call?\n .reg))'),
    call('passer pass'),
    READER,
  ]),
  nameCase('older-registry-set-by-deploy', 'reason', 'a registry called by a deploy before the deploy of the token', [
    deploy('reg', REGISTRY),
    deploy('setup', '(define-constant DONE (contract-call? .reg set-val "by a deploy"))'),
    READER,
  ]),
  nameCase('owner-deployed-later', 'right', 'a token refers to its owner, which is deployed later', [
    tok(
      `(define-public (set-name (s (string-ascii 40)))
  (begin (asserts! (is-eq contract-caller .dao) (err u1)) (ok (var-set nm s))))`,
    ),
    deploy('dao', '(define-public (rename) (contract-call? .tok set-name "by its owner"))'),
    call('dao rename'),
  ]),
  nameCase('caller-deployed-later-decides', 'right', 'a token compares its caller with a contract deployed later', [
    tok(
      '(define-public (set-name) (begin (var-set nm (if (is-eq contract-caller .dao) "by dao" "refused")) (ok true)))',
    ),
    deploy('dao', '(define-public (rename) (contract-call? .tok set-name))'),
    call('dao rename'),
  ]),
  nameCase('trait-that-is-only-read', 'reason', 'the result of a call of a trait argument is copied', [
    deploy(
      'reg',
      `(define-data-var val (string-ascii 40) "reg-start") (define-public (get-val) (ok (var-get val)))
(define-public (set-val) (begin (var-set val "set") (ok true)))`,
    ),
    tok(`(define-trait source ((get-val () (response (string-ascii 40) uint))))
(define-public (copy (s <source>)) (begin (var-set nm (try! (contract-call? s get-val))) (ok true)))`),
    call('reg set-val'),
    call('tok copy .reg'),
  ]),
  nameCase('asset-of-an-older-contract', 'reason', 'a getter reads a balance of another contract', [
    deploy(
      'reg',
      `(define-fungible-token coin) (define-read-only (held (who principal)) (ft-get-balance coin who))
(define-public (mint) (ft-mint? coin u5 tx-sender))`,
    ),
    tok({ name: `(if (> (contract-call? .reg held '{@alice}) u0) "held" "free")` }),
    call('reg mint', { by: 'alice' }),
  ]),
  nameCase('proxy-of-too-many', 'reason', 'a call through a proxy with more callers than the tracked maximum', [
    ...PROXY_OF_TOO_MANY,
    call(`caller-50 go`),
  ]),
  nameCase('proxy-of-too-many-called', 'reason', 'a call of a proxy with more callers than the tracked maximum', [
    ...PROXY_OF_TOO_MANY,
    call('proxy pass "passed"'),
  ]),
  caseWith({ runs: [{ maxCalls: 3 }] }, 'call-limit', 'reason', 'more calls than the limit of replayed calls', [
    TOK,
    ...[1, 2, 3, 4, 5].map((at) => call(`tok set-name "name ${at}"`)),
  ]),
  caseWith(
    { runs: [{ maxCalls: 3 }, {}] },
    'call-limit-raised',
    'reason',
    'more calls than the limit of the first run, but fewer than that of the second',
    [TOK, ...[1, 2, 3, 4, 5].map((at) => call(`tok set-name "name ${at}"`))],
  ),
  caseWith(URI, 'odd-uri-hides-reason', 'reason', 'an outdated value that is not a URI', [
    deploy('reg', REGISTRY),
    call('reg set-val "neither a uri"'),
    col('(some (contract-call? .reg get-val))', MINT_ANY),
    call('col mint u1'),
  ]),
];
