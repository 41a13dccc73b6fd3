// Cases in which a contract that names a token passes it as an argument to a contract that is deployed later.
import { call, type Deploy, deploy } from '../program.ts';
import { type Case, caseWith, NAMED, nameCase, READER, TOK, TWICE } from './case.ts';

/** Deploys a contract that passes the token to the contract in its argument. */
const PASSER = deploy(
  'passer',
  `(use-trait named .traits.named) (define-trait carrier ((carry (<named>) (response bool uint))))
(define-public (exec (c <carrier>)) (contract-call? c carry .tok))`,
);
const CALLER = deploy(
  'caller',
  '(use-trait carrier .passer.carrier) (define-public (exec (c <carrier>)) (contract-call? .passer exec c))',
);
const carrierOf = (name: string, does: string, run: 0 | 1, as = 'carry') =>
  deploy(name, `(use-trait named .traits.named) (define-public (${as} (t <named>)) (contract-call? ${does}))`, { run });
const SETS = 't set-name "carried"';
const LAST = carrierOf('last', SETS, 1);
const OLD = carrierOf('old', SETS, 0, 'go-on');
const EXEC = call('passer exec .last', { run: 1 });
/** Deploys 60 contracts that call `carry` through a trait, with a contract that they receive as an argument. */
const OTHERS = Array.from({ length: 60 }, (_, index) =>
  deploy(
    `other-${index}`,
    `(use-trait named .traits.named) (use-trait carrier .passer.carrier)
(define-public (go (c <carrier>) (t <named>)) (contract-call? c carry t))`,
  ),
);

/** Deploys a `passer` that passes the contract `middle` to `last`. `last` calls `middle`, which passes the token. */
const THROUGH = [
  OLD,
  deploy('middle', '(define-public (go) (contract-call? .old go-on .tok))'),
  deploy('runners', '(define-trait runner ((go () (response bool uint))))'),
  deploy(
    'passer',
    `(use-trait runner .runners.runner) (define-trait carrier ((carry (<runner>) (response bool uint))))
(define-public (exec (c <carrier>)) (contract-call? c carry .middle))`,
  ),
  deploy('last', '(use-trait runner .runners.runner) (define-public (carry (r <runner>)) (contract-call? r go))'),
] as const;

type Way = readonly [name: string, about: string, steps: Case['steps']];
const WAYS: readonly Way[] = [
  ['passed-to-newer', 'a contract passes the token to a newer contract', [PASSER, LAST, EXEC]],
  [
    'passed-by-caller',
    'another contract calls the contract that passes the token',
    [PASSER, CALLER, LAST, call('caller exec .last', { run: 1 })],
  ],
  ['passed-by-many', '60 other contracts call a function of the same name', [PASSER, ...OTHERS, LAST, EXEC]],
  [
    'passed-on-to-older',
    'the token is forwarded by a newer contract to an older one',
    [PASSER, OLD, carrierOf('last', '.old go-on t', 1), EXEC],
  ],
  [
    'passed-on',
    'to two newer ones',
    [PASSER, carrierOf('old', SETS, 1, 'go-on'), carrierOf('last', '.old go-on t', 1), EXEC],
  ],
  [
    'passed-with-others',
    'with one that changes it to a newer one',
    [
      deploy(
        'passer',
        `(use-trait named .traits.named) (define-trait goer ((go-on (<named>) (response bool uint))))
(define-trait carrier ((carry (<named> <goer>) (response bool uint))))
(define-public (exec (c <carrier>)) (contract-call? c carry .tok .old))`,
      ),
      OLD,
      deploy(
        'last',
        `(use-trait named .traits.named) (use-trait goer .passer.goer)
(define-public (carry (t <named>) (g <goer>)) (contract-call? g go-on t))`,
        { run: 1 },
      ),
      EXEC,
    ],
  ],
  [
    'passed-inside',
    'to one that it names too',
    [OLD, deploy('passer', '(define-public (exec) (contract-call? .old go-on .tok))'), call('passer exec', { run: 1 })],
  ],
  [
    'passed-as-deployed',
    'as a contract that calls it is deployed',
    [PASSER, LAST, deploy('end', '(contract-call? .passer exec .last)', { run: 1 })],
  ],
  ['passed-through', 'through another that it names', [...THROUGH, EXEC]],
  [
    'passed-at-once',
    'all blocks arrive in the same batch',
    [PASSER, carrierOf('last', SETS, 0), call('passer exec .last')],
  ],
];

/** Deploys a registry and a contract that passes it. No contract of another case calls `set-val` through a trait. */
const READ_LATER = [
  deploy('traits', '(define-trait named ((set-val ((string-ascii 40)) (response bool uint))))'),
  deploy(
    'reg',
    `(define-data-var val (string-ascii 40) "old") (define-read-only (get-val) (var-get val))
(define-public (set-val (s (string-ascii 40))) (ok (var-set val s)))`,
  ),
  { ...PASSER, source: PASSER.source.replace('.tok', '.reg') },
];
const LAST_OF_REG = carrierOf('last', 't set-val "carried"', 1);

export const PASSED: readonly Case[] = [
  ...WAYS.map(([name, about, steps]) => {
    // Cases on the shared chain must not call the same function through a trait, so `carry` gets a different name in
    // each case.
    const renamed = steps.map((step) =>
      'source' in step ? { ...step, source: (step as Deploy).source.replaceAll('carry', name) } : step,
    );
    return caseWith({ ...TWICE, last: 1 }, name, 'right', about, [TOK, NAMED, ...renamed]);
  }),
  caseWith({ ...TWICE, last: 1 }, 'passed-before-watched', 'reason', 'no getter read the registry when it was passed', [
    ...READ_LATER,
    READER,
    LAST_OF_REG,
    EXEC,
  ]),
  caseWith(
    { runs: [{}, {}], last: 1 },
    'passed-before-watched-late',
    'reason',
    'a contract that passes the registry arrives after its calls, and the getter in a later run',
    [
      ...READ_LATER.map((step) => (step.deploy === 'passer' ? { ...step, run: 0.5 } : step)),
      { ...LAST_OF_REG, run: 0 },
      call('passer exec .last'),
      { ...READER, run: 1 },
    ],
  ),
  nameCase('passed-before-it-came', 'reason', 'the block of the contract arrives after its calls', [
    TOK,
    NAMED,
    { ...PASSER, run: 0.5 },
    carrierOf('last', SETS, 0),
    call('passer exec .last'),
  ]),
  caseWith(
    { ...TWICE, last: 1 },
    'passed-through-late',
    'reason',
    'the block of a contract that names another contract arrives after its calls',
    [TOK, NAMED, ...THROUGH.map((step) => ({ ...step, run: { passer: 1.5, last: 1 }[step.deploy] ?? 0 })), EXEC],
  ),
  caseWith(
    { ...TWICE, last: 1 },
    'passed-through-two-late',
    'reason',
    'the contract names a contract that names another',
    [
      TOK,
      NAMED,
      ...THROUGH.slice(0, 3),
      deploy(
        'carriers',
        `(use-trait runner .runners.runner) (define-trait carrier ((carry (<runner>) (response bool uint))))`,
      ),
      deploy(
        'outer',
        `(use-trait carrier .carriers.carrier)
(define-public (take (c <carrier>)) (contract-call? c carry .middle))`,
      ),
      deploy(
        'givers',
        `(use-trait carrier .carriers.carrier) (define-trait taker ((take (<carrier>) (response bool uint))))
(define-trait giver ((give (<taker> <carrier>) (response bool uint))))`,
      ),
      deploy(
        'passer',
        `(use-trait carrier .carriers.carrier) (use-trait giver .givers.giver)
(define-public (exec (g <giver>) (c <carrier>)) (contract-call? g give .outer c))`,
        { run: 1.5 },
      ),
      deploy(
        'last',
        `(use-trait runner .runners.runner) (use-trait carrier .carriers.carrier) (use-trait taker .givers.taker)
(define-public (carry (r <runner>)) (contract-call? r go))
(define-public (give (t <taker>) (c <carrier>)) (contract-call? t take c))`,
        { run: 1 },
      ),
      call('passer exec .last .last', { run: 1 }),
    ],
  ),
  nameCase('passed-by-late', 'reason', 'the block of the calling contract arrives after the calls', [
    TOK,
    NAMED,
    PASSER,
    { ...CALLER, run: 0.5 },
    carrierOf('last', SETS, 0),
    call('caller exec .last'),
  ]),
];
