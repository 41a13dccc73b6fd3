// Cases about what is recorded and when: orders of blocks, contracts older than the token, evaluations that are due.
import { collection, REGISTRY, SET_NAME, token } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, one } from './case.ts';

const READS_REGISTRY = token({ name: '(contract-call? .reg get-val)' });
const TWICE = [{}, {}] as const;

export const ORDER: readonly Case[] = [
  one('trait-through-trait', 'right', 'a proposal is passed as a trait, with the token as another', [
    deploy('tok', token({ more: SET_NAME })),
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
    deploy('tok', token({ more: SET_NAME })),
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
    [deploy('tok', token({ more: SET_NAME }), { run: 1 }), call('tok set-name "new"')],
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
    [deploy('tok', token({ more: SET_NAME })), call('tok set-name "new"', { run: 1 })],
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
    'evaluation-pending',
    'reason',
    'a call is indexed, and the token not evaluated since',
    [deploy('tok', token({ more: SET_NAME })), call('tok set-name "new"', { run: 1 })],
    { runs: [{}, { vm: false }] },
  ),
  one(
    'collection-evaluation-pending',
    'reason',
    'a call is indexed, and the collection not evaluated since',
    [
      deploy(
        'col',
        collection(
          '(some (var-get base))',
          `(define-data-var base (string-ascii 40) "https://one.example/{id}")
(define-public (mint (i uint)) (nft-mint? thing i tx-sender))
(define-public (set-base (s (string-ascii 40))) (begin (var-set base s) (ok true)))`,
        ),
      ),
      call('col mint u1'),
      call('col set-base "https://two.example/{id}"', { run: 1 }),
    ],
    { runs: [{}, { vm: false }], value: 'col get-token-uri 1' },
  ),
  one(
    'supply-that-is-no-sum',
    'reason',
    'a supply that is a variable is that of the deploy',
    [
      deploy(
        'tok',
        token({
          supply: '(var-get total)',
          more: '(define-data-var total uint u1) (define-public (grow) (begin (var-set total u9) (ok true)))',
        }),
      ),
      call('tok grow'),
    ],
    { value: 'tok get-total-supply' },
  ),
  one(
    'supply-less-a-balance',
    'reason',
    'a supply less what somebody holds is that of the deploy',
    [
      deploy(
        'tok',
        token({
          supply: `(- (ft-get-supply coin) (ft-get-balance coin '{@bob}))`,
          more: '(define-public (mint) (ft-mint? coin u10 tx-sender))',
        }),
      ),
      call('tok mint', { by: 'bob' }),
      call('tok mint', { by: 'alice' }),
    ],
    { value: 'tok get-total-supply' },
  ),
  one('gap-above-deploy', 'reason', 'a block with a call is missing', [
    deploy('tok', token({ more: SET_NAME })),
    call('tok set-name "missing"', { run: 'never' }),
  ]),
  one('gap-between-calls', 'reason', 'a block between two calls is missing', [
    deploy('tok', token({ more: SET_NAME, symbol: '(var-get nm)' })),
    call('tok set-name "one"'),
    call('tok set-name "missing"', { run: 'never' }),
  ]),
  one('older-registry', 'right', 'a registry that is older than the token, and was not called', [
    deploy('reg', REGISTRY),
    deploy('tok', READS_REGISTRY),
  ]),
  one('older-registry-set-later', 'right', 'a registry that is older than the token, and was called behind it alone', [
    deploy('reg', REGISTRY),
    deploy('tok', READS_REGISTRY),
    call('reg set-val "set"'),
  ]),
  one('older-registry-set-before', 'reason', 'a registry that was called before there was a token', [
    deploy('reg', REGISTRY),
    call('reg set-val "set"'),
    deploy('tok', READS_REGISTRY),
  ]),
  one('older-registry-set-before-by-proxy', 'reason', 'a registry that a proxy called before there was a token', [
    deploy('reg', REGISTRY),
    deploy('proxy', '(define-public (pass) (contract-call? .reg set-val "by a proxy"))'),
    call('proxy pass'),
    deploy('tok', READS_REGISTRY),
  ]),
  one('older-registry-set-by-deploy', 'reason', 'a registry that a deploy called before there was a token', [
    deploy('reg', REGISTRY),
    deploy('setup', '(define-constant DONE (contract-call? .reg set-val "by a deploy"))'),
    deploy('tok', READS_REGISTRY),
  ]),
  one('owner-deployed-later', 'right', 'a token names its owner, which is deployed later', [
    deploy(
      'tok',
      token({
        more: '(define-public (set-name (s (string-ascii 40))) (begin (asserts! (is-eq contract-caller .dao) (err u1)) (ok (var-set nm s))))',
      }),
    ),
    deploy('dao', '(define-public (rename) (contract-call? .tok set-name "by its owner"))'),
    call('dao rename'),
  ]),
  one('trait-that-is-only-read', 'reason', 'what a trait argument returns is copied', [
    deploy(
      'reg',
      '(define-data-var val (string-ascii 40) "reg-start") (define-public (get-val) (ok (var-get val))) (define-public (set-val) (begin (var-set val "set") (ok true)))',
    ),
    deploy(
      'tok',
      token({
        more: `(define-trait source ((get-val () (response (string-ascii 40) uint))))
(define-public (copy (s <source>)) (begin (var-set nm (try! (contract-call? s get-val))) (ok true)))`,
      }),
    ),
    call('reg set-val'),
    call('tok copy .reg'),
  ]),
  one(
    'call-limit',
    'reason',
    'more calls than are replayed',
    [deploy('tok', token({ more: SET_NAME })), ...[1, 2, 3, 4, 5].map((at) => call(`tok set-name "name ${at}"`))],
    { runs: [{ maxCalls: 3 }] },
  ),
  one(
    'call-limit-raised',
    'reason',
    'more calls than are replayed, but not than the next run does',
    [deploy('tok', token({ more: SET_NAME })), ...[1, 2, 3, 4, 5].map((at) => call(`tok set-name "name ${at}"`))],
    { runs: [{ maxCalls: 3 }, {}] },
  ),
  one(
    'odd-uri-hides-reason',
    'reason',
    'a URI that is none, and older',
    [
      deploy('reg', REGISTRY),
      call('reg set-val "neither a uri"'),
      deploy(
        'col',
        collection(
          '(some (contract-call? .reg get-val))',
          '(define-public (mint (i uint)) (nft-mint? thing i tx-sender))',
        ),
      ),
      call('col mint u1'),
    ],
    { value: 'col get-token-uri 1' },
  ),
];
