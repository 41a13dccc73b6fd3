// Cases about total supplies: the sum of mints and burns if the getter returns that sum, otherwise the value at deploy.
import { token } from '../contracts.ts';
import { call, deploy } from '../program.ts';
import { type Case, caseWith, MINT_COINS, SUPPLY, tok } from './case.ts';

const CAP = `(define-data-var cap uint u1) (define-read-only (get-cap) (var-get cap))
(define-public (set-cap (u uint)) (begin (var-set cap u) (ok true)))`;

export const SUPPLIES: readonly Case[] = [
  caseWith(SUPPLY, 'supply-of-two-assets', 'right', 'the supply is a sum', [
    tok({
      supply: '(+ (ft-get-supply coin) (ft-get-supply gold))',
      more: `(define-fungible-token gold) ${MINT_COINS} (define-public (burn) (ft-burn? coin u1 tx-sender))
(define-public (dig) (ft-mint? gold u3 tx-sender))`,
    }),
    call('tok mint'),
    call('tok burn'),
    call('tok dig'),
  ]),
  caseWith(SUPPLY, 'supply-that-is-no-sum', 'reason', 'a supply from a variable is the value at deploy', [
    tok({
      supply: '(var-get total)',
      more: '(define-data-var total uint u1) (define-public (grow) (begin (var-set total u9) (ok true)))',
    }),
    call('tok grow'),
  ]),
  caseWith(SUPPLY, 'supply-of-another-contract', 'reason', 'a supply from another token is the value at deploy', [
    deploy('gold', token({ more: MINT_COINS })),
    tok({ supply: '(unwrap-panic (contract-call? .gold get-total-supply))' }),
    call('gold mint'),
  ]),
  caseWith(
    SUPPLY,
    'supply-of-constant',
    'reason',
    'a supply from a constant of another contract, which changed before the deploy',
    [
      deploy('cap', CAP),
      call('cap set-cap u9'),
      tok({ supply: 'K', more: '(define-constant K (contract-call? .cap get-cap))' }),
    ],
  ),
  caseWith(
    SUPPLY,
    'supply-set-at-deploy',
    'right',
    'a supply that the deploy computes from a variable, which changes later',
    [
      tok({
        supply: '(var-get total)',
        more: `(define-data-var rate uint u2) (define-data-var total uint u0) (var-set total (* u5 (var-get rate)))
(define-public (set-rate) (begin (var-set rate u3) (ok true)))`,
      }),
      call('tok set-rate'),
    ],
  ),
  caseWith(
    SUPPLY,
    'supply-doubled',
    'reason',
    'a supply computed from the supply of the asset is the value at deploy',
    [tok({ supply: '(let ((all (ft-get-supply coin))) (* u2 all))', more: MINT_COINS }), call('tok mint')],
  ),
  caseWith(SUPPLY, 'supply-less-a-balance', 'reason', 'a supply minus a balance is the value at deploy', [
    tok({ supply: `(- (ft-get-supply coin) (ft-get-balance coin '{@bob}))`, more: MINT_COINS }),
    call('tok mint', { by: 'bob' }),
    call('tok mint', { by: 'alice' }),
  ]),
  caseWith(SUPPLY, 'supply-of-a-part', 'reason', 'a supply from a dependency that only partly runs', [
    deploy('gone', '(define-trait any ((get-val () (response uint uint))))', { run: 'never' }),
    deploy(
      'dep',
      `(impl-trait .gone.any) (define-data-var cap uint u1) (define-public (get-val) (ok u1))
(define-read-only (get-cap) (var-get cap)) (var-set cap u9)`,
    ),
    tok({ supply: '(contract-call? .dep get-cap)' }),
  ]),
  caseWith(
    { ...SUPPLY, runs: [{}, { vm: false }], last: 1 },
    'supply-of-missing-blocks',
    'reason',
    'the evaluation of the supply is pending',
    [tok(MINT_COINS), call('tok mint'), call('tok mint', { run: 'never' }), call('tok mint', { run: 1 })],
  ),
];
