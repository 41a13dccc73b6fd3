// Cases in which a value depends on state that no contract stores: heights, times and STX balances.
import { SET_NAME } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import {
  type Case,
  caseWith,
  col,
  lateBurn,
  lateStacks,
  MINT_ANY,
  nameCase,
  onMainnet,
  stamped,
  tok,
  URI,
  YES,
} from './case.ts';

const DECIMALS = { value: 'tok get-decimals' };

const heightWritten = (height: string) => ({
  decimals: '(var-get at)',
  more: `(define-data-var at uint u0) (define-public (stamp) (begin (var-set at ${height}) (ok true)))`,
});
const HEIGHTS = [
  ['height-decides-write', 'a height decides what is written', '(> stacks-block-height u20)', lateStacks],
  ['burn-height-decides-write', 'a burn height decides what is written', '(> burn-block-height u20)'],
  ['old-height-decides-write', 'block-height of Clarity 2 decides what is written', '(> block-height u20)'],
  ['tenure-height-decides-write', 'the height of the tenure decides what is written', '(> tenure-height u20)'],
] as const;
const BLOCKS_AND_TIMES: readonly Case[] = [
  ...HEIGHTS.map(([name, why, condition, late = lateBurn]) => {
    const options = name === 'old-height-decides-write' ? ({ clarity: 2 } as const) : undefined;
    return nameCase(name, 'right', why, [stamped(condition, '', options), late, call('tok stamp')]);
  }),
  caseWith(
    DECIMALS,
    'burn-height-of-extended-tenure',
    'reason',
    'an extended tenure does not count its additional burn blocks',
    [
      tok(heightWritten('burn-block-height')),
      { mine: 'extend', count: 3 },
      { mine: 'stacks', count: 2 },
      call('tok stamp'),
    ],
  ),
  caseWith(DECIMALS, 'burn-height-after-extended-tenure', 'right', 'a new tenure sees its own burn block', [
    tok(heightWritten('burn-block-height')),
    { mine: 'extend', count: 3 },
    { mine: 'burn', count: 1 },
    { mine: 'stacks', count: 2 },
    call('tok stamp'),
  ]),
  caseWith(DECIMALS, 'height-is-written', 'right', 'a height is written', [
    tok(heightWritten('stacks-block-height')),
    lateStacks,
    call('tok stamp'),
  ]),
  nameCase('height-in-getter', 'reason', 'a getter reads the height', [
    lateBurn,
    tok({ name: '(if (> burn-block-height u20) "late" "early")' }),
  ]),
  nameCase('height-at-deploy', 'right', 'a constant depends on a height', [
    lateStacks,
    tok({ name: 'AT', more: '(define-constant AT (if (> stacks-block-height u20) "late" "early"))' }),
  ]),
  nameCase('height-through-another-contract', 'right', 'a write depends on a height that another contract reads', [
    deploy('clock', '(define-read-only (is-late) (> burn-block-height u20))'),
    stamped('(contract-call? .clock is-late)'),
    lateBurn,
    call('tok stamp'),
  ]),
  nameCase('block-info-in-getter', 'reason', 'a getter reads the existence of a block', [
    lateStacks,
    tok({ name: '(if (is-some (get-stacks-block-info? time u15)) "known" "unknown")' }),
  ]),
  nameCase('block-info-decides-write', 'reason', 'a write depends on the existence of a block', [
    lateStacks,
    stamped('(is-some (get-stacks-block-info? time u15))'),
    call('tok stamp'),
  ]),
  nameCase('time-of-block', 'reason', 'a write depends on the time of the block', [
    stamped('(> stacks-block-time u1700000000)', '', { clarity: 4 }),
    call('tok stamp'),
  ]),
  caseWith(URI, 'nft-shared-by-height', 'reason', 'the URI that all tokens share depends on the height', [
    lateBurn,
    col('(some (if (> burn-block-height u20) "https://late.example/{id}" "https://early.example/{id}"))', MINT_ANY),
    call('col mint u1'),
  ]),
  caseWith(onMainnet('late'), 'mainnet-height', 'reason', "mainnet's heights differ from the VM's", [
    tok({ name: '(if (> burn-block-height u900000) "late" "early")' }),
  ]),
  caseWith(YES, 'mainnet-height-written', 'right', "mainnet's heights differ from the VM's", [
    stamped('(> burn-block-height u900000)'),
    call('tok stamp'),
  ]),
];

const PAY = `(define-public (pay) (begin
  (match (stx-transfer? u5 tx-sender '{@treasury}) a (var-set nm "paid") b (var-set nm "unpaid")) (ok true)))`;
const DECIDED_BY_STX = [
  ['stx-balance-decides', 'who has no STX has a million in the VM', '(> (stx-get-balance tx-sender) u1000)'],
  ['stx-account-decides', 'who has no STX has a million in the VM', '(> (get unlocked (stx-account tx-sender)) u1000)'],
  ['stx-burn-decides', 'a burn that failed succeeds in the VM', '(is-ok (stx-burn? u5 tx-sender))'],
] as const;
const STX: readonly Case[] = [
  ...DECIDED_BY_STX.map(([name, why, condition]) =>
    nameCase(name, 'reason', why, [stamped(condition), call('tok stamp', { by: 'bob' })]),
  ),
  caseWith(DECIMALS, 'stx-balance-is-written', 'reason', 'a balance of STX is written', [
    { fund: 'bob', amount: 77n },
    tok({
      decimals: '(var-get d)',
      more: `(define-data-var d uint u0)
(define-public (go) (begin (var-set d (stx-get-balance tx-sender)) (ok true)))`,
    }),
    call('tok go', { by: 'bob' }),
  ]),
  nameCase('stx-balance-in-getter', 'reason', 'a getter reads a balance of STX', [
    { fund: 'deployer', amount: 5_000n },
    tok({ name: `(if (> (stx-get-balance '{@deployer}) u0) "rich" "poor")` }),
  ]),
  caseWith(
    { value: 'tok get-symbol' },
    'stx-balance-of-caller-in-getter',
    'reason',
    'a getter reads the STX balance of a caller',
    [
      tok({ symbol: `(if (> (stx-get-balance '{@bob}) u0) "rich" "poor")`, more: SET_NAME }),
      call('tok set-name "new"', { by: 'bob' }),
    ],
  ),
  nameCase('stx-transfer-decides', 'reason', 'a transfer that failed on the chain succeeds in the VM', [
    tok(PAY),
    call('tok pay', { by: 'bob' }),
  ]),
  nameCase('stx-transfer-at-deploy', 'reason', 'a transfer of the deployer fails in the VM', [
    { fund: 'deployer', amount: 5_000n },
    tok(`(match (stx-transfer? u5 tx-sender '{@treasury}) a (var-set nm "paid") b (var-set nm "unpaid"))`),
  ]),
  nameCase('stx-transfer-decides-constant', 'reason', 'a transfer that failed at deploy succeeds in the VM', [
    tok({
      name: 'K',
      more: `(define-constant K (match (stx-transfer? u5 tx-sender '{@treasury}) a "paid" b "unpaid"))`,
    }),
  ]),
  nameCase('stx-burn-decides-first-value', 'reason', 'a burn that failed at the deploy of another contract succeeds', [
    deploy(
      'dep',
      `(define-data-var v (string-ascii 40) (if (is-ok (stx-burn? u5 tx-sender)) "burned" "kept"))
(define-read-only (get-v) (var-get v))`,
    ),
    tok({ name: '(contract-call? .dep get-v)' }),
  ]),
  nameCase('stx-burn-as-argument-decides', 'reason', 'a burn by `map` that failed on the chain succeeds in the VM', [
    stamped(
      '(is-ok (unwrap-panic (element-at? (map stx-burn? (list u5) (list tx-sender)) u0)))',
      '(define-public (burn) (stx-burn? u1 tx-sender))',
    ),
    call('tok stamp', { by: 'bob' }),
  ]),
];

export const NO_VARIABLE: readonly Case[] = [...BLOCKS_AND_TIMES, ...STX];
