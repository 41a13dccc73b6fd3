import { call } from '../program.ts';
import { type Case, MINT_COINS, nameCase, stamped, tok } from './case.ts';

/** Returns a case in which the caller of `stamp` owns coins. */
const coinCase = (name: string, about: string, condition: string) =>
  nameCase(name, 'reason', about, [
    stamped(condition, MINT_COINS),
    call('tok mint', { by: 'bob' }),
    call('tok stamp', { by: 'bob' }),
  ]);

export const ASSETS: readonly Case[] = [
  coinCase(
    'ft-transfer-decides',
    'a write depends on the result of a transfer',
    `(is-ok (ft-transfer? coin u5 tx-sender '{@treasury}))`,
  ),
  coinCase('ft-burn-decides', 'a write depends on the result of a burn', '(is-ok (ft-burn? coin u5 tx-sender))'),
  coinCase('ft-balance-decides', 'a write depends on a balance', '(> (ft-get-balance coin tx-sender) u5)'),
  nameCase('nft-mint-decides', 'right', 'a write depends on the result of a mint', [
    tok(`(define-non-fungible-token thing uint)
(define-public (claim (i uint)) (nft-mint? thing i tx-sender))
(define-public (take (i uint)) (match (nft-mint? thing i tx-sender) a (ok (var-set nm "minted")) b (ok
  (var-set nm "taken"))))`),
    call('tok claim u1'),
    call('tok take u1'),
  ]),
  nameCase('nft-owner-decides', 'right', 'a write depends on the owner of a token', [
    stamped(
      '(is-some (nft-get-owner? thing u1))',
      `(define-non-fungible-token thing uint)
(define-public (claim (i uint)) (nft-mint? thing i tx-sender))`,
    ),
    call('tok claim u1'),
    call('tok stamp'),
  ]),
  nameCase('balance-in-getter', 'reason', 'a getter reads a balance', [
    tok({ name: `(if (> (ft-get-balance coin '{@bob}) u0) "held" "free")`, more: MINT_COINS }),
    call('tok mint', { by: 'bob' }),
  ]),
  nameCase('map-delete-decides', 'right', 'a write depends on the existence of a map entry', [
    stamped(
      '(map-delete m u1)',
      '(define-map m uint bool) (define-public (put) (begin (map-set m u1 true) (ok true)))',
    ),
    call('tok put'),
    call('tok stamp'),
  ]),
  nameCase('map-insert-decides', 'right', 'a write depends on the existence of a map entry', [
    stamped(
      '(map-insert m u1 true)',
      '(define-map m uint bool) (define-public (put) (begin (map-set m u1 true) (ok true)))',
    ),
    call('tok put'),
    call('tok stamp'),
  ]),
];
