import { call } from '../program.ts';
import { type Case, MINT_COINS, nameCase, stamped, tok } from './case.ts';

/** Returns a case whose caller owns coins. */
const coinCase = (name: string, about: string, condition: string) =>
  nameCase(name, 'reason', about, [
    stamped(condition, MINT_COINS),
    call('tok mint', { by: 'bob' }),
    call('tok stamp', { by: 'bob' }),
  ]);

export const ASSETS: readonly Case[] = [
  coinCase(
    'ft-transfer-decides',
    'whether a transfer succeeds decides what is written',
    `(is-ok (ft-transfer? coin u5 tx-sender '{@treasury}))`,
  ),
  coinCase(
    'ft-burn-decides',
    'whether a burn succeeds decides what is written',
    '(is-ok (ft-burn? coin u5 tx-sender))',
  ),
  coinCase('ft-balance-decides', 'a balance decides what is written', '(> (ft-get-balance coin tx-sender) u5)'),
  nameCase('nft-mint-decides', 'right', 'whether a mint succeeds decides what is written', [
    tok(`(define-non-fungible-token thing uint)
(define-public (claim (i uint)) (nft-mint? thing i tx-sender))
(define-public (take (i uint)) (match (nft-mint? thing i tx-sender) a (ok (var-set nm "minted")) b (ok
  (var-set nm "taken"))))`),
    call('tok claim u1'),
    call('tok take u1'),
  ]),
  nameCase('nft-owner-decides', 'right', 'who owns a token decides what is written', [
    stamped(
      '(is-some (nft-get-owner? thing u1))',
      `(define-non-fungible-token thing uint)
(define-public (claim (i uint)) (nft-mint? thing i tx-sender))`,
    ),
    call('tok claim u1'),
    call('tok stamp'),
  ]),
  nameCase('balance-in-getter', 'reason', 'a getter shows a balance', [
    tok({ name: `(if (> (ft-get-balance coin '{@bob}) u0) "held" "free")`, more: MINT_COINS }),
    call('tok mint', { by: 'bob' }),
  ]),
  nameCase('map-delete-decides', 'right', 'whether a key was there decides what is written', [
    stamped(
      '(map-delete m u1)',
      '(define-map m uint bool) (define-public (put) (begin (map-set m u1 true) (ok true)))',
    ),
    call('tok put'),
    call('tok stamp'),
  ]),
  nameCase('map-insert-decides', 'right', 'whether a key was there decides what is written', [
    stamped(
      '(map-insert m u1 true)',
      '(define-map m uint bool) (define-public (put) (begin (map-set m u1 true) (ok true)))',
    ),
    call('tok put'),
    call('tok stamp'),
  ]),
];
