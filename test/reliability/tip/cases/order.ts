// Cases about the order of events: the order of blocks, contracts older than the token, and evaluations that are still
// pending.
import { REGISTRY } from '../contracts.ts';
import { call, deploy, type Step } from '../program.ts';
import { type Case, caseWith, col, MINT_ANY, NAMED, nameCase, READER, TOK, TWICE, tok, URI } from './case.ts';

const PENDING = { runs: [{}, { vm: false }] };
/** Options for cases in which the second run makes another branch longer than the branch of the first run. */
const BRANCH = { ...TWICE, last: 1 };
const PROXY = deploy('proxy', '(define-public (pass) (contract-call? .tok set-name "passed"))');
const TRAITS: readonly Step[] = [
  NAMED,
  deploy('proposal', '(use-trait named .traits.named) (define-trait proposal ((run (<named>) (response bool uint))))'),
];
const DAO = deploy(
  'dao',
  `(use-trait named .traits.named) (use-trait proposal .proposal.proposal)
(define-public (execute (p <proposal>) (t <named>)) (contract-call? p run t))`,
);
const AGENT = deploy(
  'agent',
  '(use-trait named .traits.named) (define-public (run (t <named>)) (contract-call? t set-name "by an agent"))',
);

const PROPOSAL = { ...AGENT, deploy: 'prop' };

export const ORDER: readonly Case[] = [
  nameCase('trait-through-trait', 'right', 'a proposal and the token are both passed as traits', [
    TOK,
    ...TRAITS,
    DAO,
    PROPOSAL,
    call('dao execute .prop .tok'),
  ]),
  nameCase('trait-through-trait-through-trait', 'right', 'a proposal forwards a proposal, which forwards the token', [
    TOK,
    deploy(
      'traits',
      `(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))
(define-trait inner ((run (<named>) (response bool uint))))
(define-trait outer ((pass (<inner> <named>) (response bool uint))))`,
    ),
    deploy(
      'dao',
      `(use-trait named .traits.named) (use-trait inner .traits.inner) (use-trait outer .traits.outer)
(define-public (execute (o <outer>) (i <inner>) (t <named>)) (contract-call? o pass i t))`,
    ),
    deploy(
      'out',
      `(use-trait named .traits.named) (use-trait inner .traits.inner)
(define-public (pass (i <inner>) (t <named>)) (contract-call? i run t))`,
    ),
    deploy(
      'in',
      `(use-trait named .traits.named) (define-public (run (t <named>)) (contract-call? t set-name "passed"))`,
    ),
    call('dao execute .out .in .tok'),
  ]),
  nameCase('trait-through-trait-of-older', 'right', 'the proposal is older than the token', [
    NAMED,
    PROPOSAL,
    TOK,
    deploy(
      'dao',
      `(use-trait named .traits.named) (define-trait proposal ((run (<named>) (response bool uint))))
(define-public (execute (p <proposal>) (t <named>)) (contract-call? p run t))`,
    ),
    call('dao execute .prop .tok'),
  ]),
  nameCase('same-block-registry', 'right', 'a registry, a call of it and the token in one block', [
    { block: [deploy('reg', REGISTRY), call('reg set-val "set"'), READER] },
  ]),
  nameCase('same-block-token', 'right', 'a token and two calls of it in one block', [
    { block: [TOK, call('tok set-name "one"'), call('tok set-name "two"')] },
  ]),
  caseWith(TWICE, 'blocks-indexed-later', 'reason', 'the block of the call is indexed before the block of the deploy', [
    { ...TOK, run: 1 },
    call('tok set-name "new"'),
  ]),
  caseWith(TWICE, 'registry-indexed-later', 'reason', 'the registry is indexed after the token', [
    deploy('reg', REGISTRY, { run: 1 }),
    call('reg set-val "set"', { run: 1 }),
    READER,
  ]),
  caseWith(TWICE, 'call-indexed-later', 'right', 'a call arrives in a second run', [
    TOK,
    call('tok set-name "new"', { run: 1 }),
  ]),
  caseWith(TWICE, 'late-orphan-watch', 'reason', 'a late orphan reads a registry whose calls were not recorded', [
    { fork: [[{ ...READER, deploy: 'other', like: 'tok' }]], run: 1 },
    deploy('reg', REGISTRY),
    call('reg set-val "set"'),
    { ...READER, run: 1 },
  ]),
  caseWith({ ...TWICE, ...URI }, 'mints-indexed-later', 'reason', 'the mints are indexed before the deploy', [
    { ...col('(some "https://a.example/{id}")', MINT_ANY), run: 1 },
    call('col mint u1'),
  ]),
  nameCase('other-source-on-orphan', 'right', 'an orphaned block has a registry of the same name with another source', [
    {
      fork: [
        [
          deploy(
            'reg',
            '(define-data-var other (string-ascii 40) "orphaned") (define-read-only (get-val) (var-get other))',
          ),
        ],
      ],
    },
    deploy('reg', REGISTRY),
    READER,
    call('reg set-val "set"'),
  ]),
  nameCase('circle-in-a-contract', 'right', 'functions of two sources of a contract call each other', [
    {
      fork: [[tok('(define-public (apply-it) (ok (rename))) (define-private (rename) true)')]],
    },
    tok('(define-public (rename) (ok (apply-it))) (define-private (apply-it) (var-set nm "renamed"))'),
    call('tok rename'),
  ]),
  nameCase('other-code-on-a-fork', 'right', 'on an orphaned block, the token reads a balance of STX', [
    { fork: [[tok({ name: '(if (> (stx-get-balance tx-sender) u0) "rich" "poor")' })]] },
    TOK,
  ]),
  nameCase('circle-of-contracts', 'right', 'contracts of two forks call each other', [
    {
      fork: [
        [deploy('other', '(define-public (f) (ok true))')],
        [tok('(define-public (set-it) (contract-call? .other f))')],
      ],
    },
    tok('(define-public (set-it) (ok (var-set nm "set")))'),
    deploy('other', '(define-public (f) (contract-call? .tok set-it))'),
    call('other f'),
  ]),
  // `last` gives this case a separate chain, so that no other blocks come between its blocks.
  caseWith({ ...URI, last: 0 }, 'forks-below-a-gap', 'reason', 'deploys and mints on one of two forks below a gap', [
    TOK,
    col('(some "https://a.example/{id}")', MINT_ANY),
    { fork: [[tok({ decimals: 'u3' }), call('col mint u2')]] },
    call('col mint u1'),
    { mine: 'stacks', count: 1, run: 'never' },
  ]),
  caseWith(TWICE, 'reorganised', 'right', 'a call that was on the chain in the first run is orphaned in the second', [
    TOK,
    call('tok set-name "kept"'),
    { fork: [[call('tok set-name "orphaned"')]] },
    call('tok set-name "last"', { run: 1 }),
  ]),
  caseWith(TWICE, 'reorganised-deploy', 'right', 'a setup of the first run is orphaned in the second', [
    TOK,
    call('tok set-name "kept"'),
    { fork: [[deploy('setup', '(contract-call? .tok set-name "orphaned") (define-constant DONE true)')]] },
    { mine: 'stacks', count: 1, run: 1 },
  ]),
  caseWith(TWICE, 'deploy-indexed-in-a-second-run', 'right', 'a setup that calls the token arrives in a second run', [
    TOK,
    deploy('setup', '(contract-call? .tok set-name "by a deploy") (define-constant DONE true)', { run: 1 }),
  ]),
  caseWith(PENDING, 'evaluation-pending', 'reason', 'a call is indexed, but the token is not evaluated yet', [
    TOK,
    call('tok set-name "new"', { run: 1 }),
  ]),
  caseWith(
    { ...PENDING, ...URI },
    'collection-evaluation-pending',
    'reason',
    'the collection is not evaluated after a call',
    [
      col(
        '(some (var-get base))',
        `(define-data-var base (string-ascii 40) "https://one.example/{id}")
${MINT_ANY}
(define-public (set-base (s (string-ascii 40))) (begin (var-set base s) (ok true)))`,
      ),
      call('col mint u1'),
      call('col set-base "https://two.example/{id}"', { run: 1 }),
    ],
  ),
  caseWith(BRANCH, 'setter-of-another-fork', 'right', 'an earlier orphaned block has another setter', [
    { fork: [[TOK]] },
    tok('(define-public (rename (s (string-ascii 40))) (begin (var-set nm s) (ok true)))', { run: 1 }),
    call('tok rename "new"', { run: 1 }),
  ]),
  caseWith(BRANCH, 'registry-of-another-fork', 'right', 'a registry on an earlier orphan has another setter', [
    { fork: [[deploy('reg', REGISTRY)], [READER]] },
    deploy('reg', REGISTRY.replace('set-val', 'put-val'), { run: 1 }),
    { ...READER, run: 1 },
    call('reg put-val "set"', { run: 1 }),
  ]),
  caseWith(BRANCH, 'adopted-above-a-gap', 'reason', 'a branch with a missing block wins without a new gap', [
    TOK,
    { fork: [[], [], [], []] },
    call('tok set-name "missing"', { run: 'never' }),
    deploy('other', '(define-constant ONE u1)'),
    { mine: 'stacks', count: 4, run: 1 },
  ]),
  nameCase('call-before-deploy-in-an-archive', 'reason', 'one archive has the call before the deploy', [
    { ...TOK, run: 0.5 },
    call('tok set-name "new"'),
  ]),
  caseWith(TWICE, 'writer-indexed-later', 'reason', 'the call of a proxy is indexed before its deploy', [
    TOK,
    { ...PROXY, run: 1 },
    call('proxy pass'),
  ]),
  caseWith(TWICE, 'writer-indexed-later-than-its-caller', 'reason', 'a proxy is indexed after its caller', [
    TOK,
    { ...PROXY, run: 1 },
    deploy('caller', '(define-public (go) (contract-call? .proxy pass))'),
    call('caller go'),
  ]),
  caseWith(TWICE, 'agent-indexed-later', 'right', 'a call passes the token to a contract that is indexed later', [
    ...TRAITS,
    TOK,
    DAO,
    { ...AGENT, run: 1 },
    call('dao execute .agent .tok'),
  ]),
  caseWith(TWICE, 'agent-indexed-later-in-code', 'reason', 'code passes the token to a contract indexed later', [
    ...TRAITS,
    TOK,
    { ...AGENT, run: 1 },
    deploy('passer', '(define-public (pass) (contract-call? .agent run .tok))'),
    call('passer pass'),
  ]),
  nameCase('passed-to-what-is-passed', 'right', 'code passes the token to a contract that is an argument', [
    ...TRAITS,
    TOK,
    AGENT,
    deploy(
      'main',
      '(use-trait proposal .proposal.proposal) (define-public (go (o <proposal>)) (contract-call? o run .tok))',
    ),
    call('main go .agent'),
  ]),
];
