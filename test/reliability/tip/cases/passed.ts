// Cases in which code passes a token that it names to a contract which comes after that code.
import { call, deploy } from '../program.ts';
import { type Case, having, NAMED, one, TOK, TWICE } from './case.ts';

const AGAIN = { runs: [{}, { readAgain: true }] };
/** Passes the token, which it names, to another contract. */
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
const WAYS = [
  ['passed-to-newer', 'a contract passes the token that it names to a newer one', [PASSER, carrierOf('last', SETS, 1)]],
  ['passed-by-caller', 'one calls it', [PASSER, CALLER, carrierOf('last', SETS, 1)]],
  [
    'passed-on-to-older',
    'to a newer one and an older',
    [PASSER, carrierOf('old', SETS, 0, 'go-on'), carrierOf('last', '.old go-on t', 1)],
  ],
  [
    'passed-on',
    'to two newer ones',
    [PASSER, carrierOf('old', SETS, 1, 'go-on'), carrierOf('last', '.old go-on t', 1)],
  ],
] as const;

export const PASSED: readonly Case[] = [
  ...WAYS.flatMap(([name, about, steps]) => {
    const exec = call(`${steps.includes(CALLER) ? 'caller' : 'passer'} exec .last`, { run: 1 });
    // Cases share a chain, where the others' contracts would tell of a function of this name.
    const own = steps.map((step) => ({ ...step, source: step.source.replaceAll('carry', name) }));
    return [
      having({ ...TWICE, last: 1 }, name, 'reason', about, [TOK, NAMED, ...own, exec]),
      having({ ...AGAIN, last: 1 }, `${name}-read-again`, 'right', about, [TOK, NAMED, ...own, exec]),
    ];
  }),
  one('passed-at-once', 'right', 'a contract passes the token to a newer one in the same batch', [
    TOK,
    NAMED,
    PASSER,
    carrierOf('last', SETS, 0),
    call('passer exec .last'),
  ]),
];
