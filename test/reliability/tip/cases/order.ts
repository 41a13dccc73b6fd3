// Cases about what is recorded and when: orders of blocks, contracts older than the token, evaluations that are due.
import { collection, REGISTRY, SET_NAME, token } from '../contracts.ts';
import { call, deploy, type Step } from '../program.ts';
import { type Case, col, one, tok } from './case.ts';

const READS_REGISTRY = token({ name: '(contract-call? .reg get-val)' });
const TWICE = [{}, {}] as const;
const PROXY = deploy('proxy', '(define-public (pass) (contract-call? .tok set-name "passed"))');
const TRAITS: readonly Step[] = [
  deploy('named', '(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))'),
  deploy('proposal', '(use-trait named .named.named) (define-trait proposal ((run (<named>) (response bool uint))))'),
];
const DAO = deploy(
  'dao',
  `(use-trait named .named.named) (use-trait proposal .proposal.proposal)
(define-public (execute (p <proposal>) (t <named>)) (contract-call? p run t))`,
);
const AGENT = deploy(
  'agent',
  '(use-trait named .named.named) (define-public (run (t <named>)) (contract-call? t set-name "by an agent"))',
);

export const ORDER: readonly Case[] = [
  one('trait-through-trait', 'right', 'a proposal is passed as a trait, with the token as another', [
    tok(SET_NAME),
    deploy(
      'traits',
      `(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))
(define-trait proposal ((run (<named>) (response bool uint))))`,
    ),
    deploy(
      'dao',
      `(use-trait named .traits.named) (use-trait proposal .traits.proposal)
(define-public (execute (p <proposal>) (t <named>)) (contract-call? p run t))`,
    ),
    deploy(
      'prop',
      `(use-trait named .traits.named)
(define-public (run (t <named>)) (contract-call? t set-name "by a proposal"))`,
    ),
    call('dao execute .prop .tok'),
  ]),
  one('trait-through-trait-through-trait', 'right', 'a proposal passes on a proposal, and that the token', [
    tok(SET_NAME),
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
  one('trait-through-trait-of-older', 'right', 'the proposal is older than the token', [
    deploy('traits', '(define-trait named ((set-name ((string-ascii 40)) (response bool uint))))'),
    deploy(
      'prop',
      `(use-trait named .traits.named)
(define-public (run (t <named>)) (contract-call? t set-name "by an older proposal"))`,
    ),
    tok(SET_NAME),
    deploy(
      'dao',
      `(use-trait named .traits.named) (define-trait proposal ((run (<named>) (response bool uint))))
(define-public (execute (p <proposal>) (t <named>)) (contract-call? p run t))`,
    ),
    call('dao execute .prop .tok'),
  ]),
  one('same-block-registry', 'right', 'a registry, a call of it and the token in one block', [
    {
      block: [
        { deploy: 'reg', source: REGISTRY },
        { call: 'reg set-val', args: ['"set"'] },
        { deploy: 'tok', source: READS_REGISTRY },
      ],
    },
  ]),
  one('same-block-token', 'right', 'a token and two calls of it in one block', [
    {
      block: [
        { deploy: 'tok', source: token({ more: SET_NAME }) },
        { call: 'tok set-name', args: ['"one"'] },
        { call: 'tok set-name', args: ['"two"'] },
      ],
    },
  ]),
  one(
    'blocks-indexed-later',
    'reason',
    'the block of the call is indexed before that of the deploy',
    [tok(SET_NAME, { run: 1 }), call('tok set-name "new"')],
    { runs: TWICE },
  ),
  one(
    'registry-indexed-later',
    'reason',
    'the blocks of the registry are indexed behind those of the token',
    [deploy('reg', REGISTRY, { run: 1 }), call('reg set-val "set"', { run: 1 }), deploy('tok', READS_REGISTRY)],
    { runs: TWICE },
  ),
  one(
    'call-indexed-later',
    'right',
    'a call arrives in a second run',
    [tok(SET_NAME), call('tok set-name "new"', { run: 1 })],
    { runs: TWICE },
  ),
  one(
    'late-orphan-watch',
    'reason',
    'an orphan at a low height, indexed late, has a registry watched whose calls were not recorded',
    [
      { fork: [[{ deploy: 'other', like: 'tok', source: READS_REGISTRY }]], run: 1 },
      deploy('reg', REGISTRY),
      call('reg set-val "set"'),
      deploy('tok', READS_REGISTRY, { run: 1 }),
    ],
    { runs: TWICE },
  ),
  one(
    'mints-indexed-later',
    'reason',
    'the blocks of the mints are indexed before that of the deploy',
    [
      deploy(
        'col',
        collection('(some "https://a.example/{id}")', '(define-public (mint (i uint)) (nft-mint? thing i tx-sender))'),
        {
          run: 1,
        },
      ),
      call('col mint u1'),
    ],
    { runs: TWICE, value: 'col get-token-uri 1' },
  ),
  one('other-source-on-orphan', 'right', 'a registry of another source was orphaned', [
    {
      fork: [
        [
          {
            deploy: 'reg',
            source: '(define-data-var other (string-ascii 40) "orphaned") (define-read-only (get-val) (var-get other))',
          },
        ],
      ],
    },
    deploy('reg', REGISTRY),
    deploy('tok', READS_REGISTRY),
    call('reg set-val "set"'),
  ]),
  one(
    'reorganised',
    'right',
    'a call that was on the chain in the first run is orphaned in the second',
    [
      tok(SET_NAME),
      call('tok set-name "kept"'),
      { fork: [[{ call: 'tok set-name', args: ['"orphaned"'] }]] },
      call('tok set-name "last"', { run: 1 }),
    ],
    { runs: TWICE },
  ),
  one(
    'reorganised-deploy',
    'right',
    'a setup that was on the chain in the first run is orphaned in the second',
    [
      tok(SET_NAME),
      call('tok set-name "kept"'),
      {
        fork: [[{ deploy: 'setup', source: '(contract-call? .tok set-name "orphaned") (define-constant DONE true)' }]],
      },
      { mine: 'stacks', count: 1, run: 1 },
    ],
    { runs: TWICE },
  ),
  one(
    'deploy-indexed-in-a-second-run',
    'right',
    'a setup that calls the token arrives in a second run',
    [
      tok(SET_NAME),
      deploy('setup', '(contract-call? .tok set-name "by a deploy") (define-constant DONE true)', { run: 1 }),
    ],
    { runs: TWICE },
  ),
  one(
    'evaluation-pending',
    'reason',
    'a call is indexed, and the token not evaluated since',
    [tok(SET_NAME), call('tok set-name "new"', { run: 1 })],
    { runs: [{}, { vm: false }] },
  ),
  one(
    'collection-evaluation-pending',
    'reason',
    'a call is indexed, and the collection not evaluated since',
    [
      col(
        '(some (var-get base))',
        `(define-data-var base (string-ascii 40) "https://one.example/{id}")
(define-public (mint (i uint)) (nft-mint? thing i tx-sender))
(define-public (set-base (s (string-ascii 40))) (begin (var-set base s) (ok true)))`,
      ),
      call('col mint u1'),
      call('col set-base "https://two.example/{id}"', { run: 1 }),
    ],
    { runs: [{}, { vm: false }], value: 'col get-token-uri 1' },
  ),
  one(
    'setter-of-another-fork',
    'right',
    'the token has another setter than on the orphan, which was indexed before',
    [
      { fork: [[{ deploy: 'tok', source: token({ more: SET_NAME }) }]] },
      tok('(define-public (rename (s (string-ascii 40))) (begin (var-set nm s) (ok true)))', { run: 1 }),
      call('tok rename "new"', { run: 1 }),
    ],
    { runs: TWICE, last: 1 },
  ),
  one(
    'registry-of-another-fork',
    'right',
    'the registry has another setter than on the orphan, which was indexed before',
    [
      { fork: [[{ deploy: 'reg', source: REGISTRY }], [{ deploy: 'tok', source: READS_REGISTRY }]] },
      deploy('reg', REGISTRY.replace('set-val', 'put-val'), { run: 1 }),
      deploy('tok', READS_REGISTRY, { run: 1 }),
      call('reg put-val "set"', { run: 1 }),
    ],
    { runs: TWICE, last: 1 },
  ),
  one(
    'adopted-above-a-gap',
    'reason',
    'a branch with a missing block becomes the chain, and no gap is new',
    [
      tok(SET_NAME),
      { fork: [[], [], [], []] },
      call('tok set-name "missing"', { run: 'never' }),
      deploy('other', '(define-constant ONE u1)'),
      { mine: 'stacks', count: 4, run: 1 },
    ],
    { runs: TWICE, last: 1 },
  ),
  one('call-before-deploy-in-an-archive', 'reason', 'one archive has the call before the deploy', [
    tok(SET_NAME, { run: 0.5 }),
    call('tok set-name "new"'),
  ]),
  one(
    'writer-indexed-later',
    'reason',
    'the call of a proxy is indexed before its deploy',
    [tok(SET_NAME), { ...PROXY, run: 1 }, call('proxy pass')],
    { runs: TWICE },
  ),
  one(
    'writer-indexed-later-than-its-caller',
    'reason',
    'a proxy is indexed behind a contract that calls it',
    [
      tok(SET_NAME),
      { ...PROXY, run: 1 },
      deploy('caller', '(define-public (go) (contract-call? .proxy pass))'),
      call('caller go'),
    ],
    { runs: TWICE },
  ),
  one(
    'agent-indexed-later',
    'right',
    'a call passes the token to a contract that is indexed later',
    [...TRAITS, tok(SET_NAME), DAO, { ...AGENT, run: 1 }, call('dao execute .agent .tok')],
    { runs: TWICE },
  ),
  one(
    'agent-indexed-later-in-code',
    'reason',
    'code passes the token to a contract that is indexed later',
    [
      ...TRAITS,
      tok(SET_NAME),
      { ...AGENT, run: 1 },
      deploy('passer', '(define-public (pass) (contract-call? .agent run .tok))'),
      call('passer pass'),
    ],
    { runs: TWICE },
  ),
  one('passed-to-what-is-passed', 'right', 'code passes the token to a contract that is an argument', [
    ...TRAITS,
    tok(SET_NAME),
    AGENT,
    deploy(
      'main',
      '(use-trait proposal .proposal.proposal) (define-public (go (o <proposal>)) (contract-call? o run .tok))',
    ),
    call('main go .agent'),
  ]),
];
