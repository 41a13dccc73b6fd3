// Cases about semi-fungible tokens (SIP-013).
import { call, deploy } from '../program.ts';
import { type Case, having, TWICE } from './case.ts';

/** A contract whose supplies are in a map; the parts are what its getters return. */
export const sft = ({ more = '', decimals = 'u0', supply = '(default-to u0 (map-get? supplies id))' } = {}) =>
  deploy(
    'sft',
    `(define-fungible-token semi) (define-non-fungible-token semi-id {token-id: uint, owner: principal})
(define-map supplies uint uint) (define-map balances {id: uint, who: principal} uint)
${more}
(define-read-only (get-balance (id uint) (who principal)) (ok (default-to u0 (map-get? balances {id: id, who: who}))))
(define-read-only (get-overall-balance (who principal)) (ok (ft-get-balance semi who)))
(define-read-only (get-total-supply (id uint)) (ok ${supply}))
(define-read-only (get-overall-supply) (ok (ft-get-supply semi)))
(define-read-only (get-decimals (id uint)) (ok ${decimals}))
(define-read-only (get-token-uri (id uint)) (ok (some "https://a.example/{id}")))
(define-public (transfer (id uint) (n uint) (from principal) (to principal)) (ok true))
(define-public (transfer-memo (id uint) (n uint) (from principal) (to principal) (memo (buff 34))) (ok true))
(define-public (mint (id uint) (n uint)) (begin (try! (ft-mint? semi n tx-sender))
  (map-set supplies id (+ n (default-to u0 (map-get? supplies id))))
  (print {type: "sft_mint", token-id: id, amount: n, recipient: tx-sender}) (ok true)))
(define-public (burn (id uint) (n uint)) (begin (try! (ft-burn? semi n tx-sender))
  (map-set supplies id (- (default-to u0 (map-get? supplies id)) n)) (ok true)))`,
  );

export const SFT = { value: 'sft get-total-supply 1' };
const MINTS = [call('sft mint u1 u5'), call('sft mint u2 u7'), call('sft burn u1 u2')];

export const SEMI_FUNGIBLE: readonly Case[] = [
  having(SFT, 'sft-supply', 'right', 'a supply that a map has', [sft(), ...MINTS]),
  having(SFT, 'sft-supply-of-asset', 'reason', 'a supply of the asset, that all its tokens share', [
    sft({ supply: '(ft-get-supply semi)' }),
    ...MINTS,
  ]),
  having({ ...SFT, ...TWICE }, 'sft-supply-in-two-runs', 'right', 'mints in two runs', [
    sft(),
    call('sft mint u1 u5'),
    call('sft mint u1 u7', { run: 1 }),
    call('sft mint u3 u7', { run: 1 }),
  ]),
  having({ value: 'sft get-decimals 1' }, 'sft-decimals', 'right', 'decimals that change', [
    sft({
      more: '(define-data-var d uint u1) (define-public (set-d) (ok (var-set d u9)))',
      decimals: '(if (is-eq id u1) (var-get d) u3)',
    }),
    call('sft mint u1 u5'),
    call('sft set-d'),
    call('sft mint u2 u5'),
  ]),
];
