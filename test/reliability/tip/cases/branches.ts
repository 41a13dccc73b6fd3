// Cases in which a later run abandons a branch that an earlier run had as canonical. Their forks need a chain without
// other cases, so {@link alone} gives each case different options.
import { REGISTRY, SET_NAME, token } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, caseWith, col, MINT_ANY, READER as READ_REGISTRY, tok, URI } from './case.ts';
import { SFT, sft } from './semi-fungible.ts';

const alone = (number: number) => ({ runs: [{}, {}, { maxCalls: 1_000 + number }], last: 1 });
const OF_BLOCK = { clarity: 2, more: '(define-constant AT block-height)' };
const AT = tok({ name: '(int-to-ascii AT)', more: OF_BLOCK.more }, { clarity: OF_BLOCK.clarity, same: 'tok' });
const DEPENDENCY = deploy('dep', `${OF_BLOCK.more} (define-read-only (get-at) AT)`, { clarity: 2, same: 'dep' });
const READER = tok({ name: '(int-to-ascii (contract-call? .dep get-at))' }, { clarity: 2, same: 'tok' });

export const BRANCHES: readonly Case[] = [
  caseWith({ ...URI, ...alone(1) }, 'last-uri-is-orphaned', 'right', 'a later call is orphaned without a replacement', [
    col(
      '(map-get? uris id)',
      `(define-map uris uint (string-ascii 40)) ${MINT_ANY}
(define-public (set-uri (i uint) (u (string-ascii 40))) (ok (map-set uris i u)))`,
    ),
    call('col mint u1'),
    call('col set-uri u1 "https://kept.example/"'),
    { fork: [[], [], [call('col set-uri u1 "https://orphaned.example/"')]] },
    { mine: 'stacks', count: 3, run: 1 },
  ]),
  caseWith(
    { ...SFT, ...alone(2) },
    'last-mint-is-orphaned',
    'right',
    'a later mint is orphaned without a replacement',
    [
      sft(),
      call('sft mint u1 u5'),
      { fork: [[], [], [call('sft mint u1 u70')]] },
      { mine: 'stacks', count: 3, run: 1 },
    ],
  ),
  caseWith(
    alone(3),
    'deploy-in-two-branches',
    'right',
    'both branches include the deploy at the same height in different tenures',
    [{ fork: [[], [AT], []] }, { mine: 'burn', count: 1, run: 1 }, { ...AT, run: 1 }],
  ),
  caseWith(
    alone(4),
    'dependency-in-two-branches',
    'right',
    'both branches include the deploys at the same height in different tenures',
    [
      { fork: [[], [DEPENDENCY], [READER], []] },
      { mine: 'burn', count: 1, run: 1 },
      { ...DEPENDENCY, run: 1 },
      { ...READER, run: 1 },
    ],
  ),
  caseWith(
    { ...alone(5), value: 'tok get-name' },
    'other-deploy-below-a-gap',
    'reason',
    'the canonical deploy arrives in a later run',
    [
      { fork: [[tok({ name: '"orphaned"' })]] },
      { ...tok({ name: '"kept"' }), run: 1 },
      { mine: 'stacks', count: 2, run: 'never' },
      { mine: 'stacks', count: 2 },
    ],
  ),
  caseWith(
    { ...alone(6), last: 2 },
    'registry-is-a-token-elsewhere',
    'reason',
    'on an orphaned block, the name of the registry is a token',
    [
      deploy('reg', REGISTRY),
      call('reg set-val "set"'),
      { fork: [[deploy('reg', token({ more: REGISTRY, name: '(var-get val)' }), { like: 'tok' })]], run: 1 },
      { ...READ_REGISTRY, run: 2 },
    ],
  ),
  caseWith(
    alone(7),
    'interface-of-another-branch',
    'reason',
    'only the abandoned branch has the interface of the deploy',
    [
      { fork: [[tok(SET_NAME, { same: 'tok' })]], run: 1 },
      tok(SET_NAME, { same: 'tok', isBare: true, clarity: 3 }),
      call('tok set-name "by a call"'),
    ],
  ),
];
