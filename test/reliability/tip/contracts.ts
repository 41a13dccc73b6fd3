// Makes the sources of tokens, collections and registries from the Clarity expressions that a test checks.

export interface TokenParts {
  readonly name?: string;
  readonly symbol?: string;
  readonly decimals?: string;
  readonly uri?: string;
  readonly supply?: string;
  /** Definitions to insert before the getters. */
  readonly more?: string;
  /** The getters to define as public functions instead of read-only functions. */
  readonly isPublic?: readonly ('name' | 'symbol')[];
}

/** Returns the source of a SIP-010 token. The default name is the variable `nm`; its initial value is "start". */
export function token(parts: TokenParts = {}): string {
  const { name = '(var-get nm)', symbol = '"S"', decimals = 'u6', uri = '(some u"https://a.example/1")' } = parts;
  const define = (which: 'name' | 'symbol') => (parts.isPublic?.includes(which) ? 'define-public' : 'define-read-only');
  return `(define-fungible-token coin)
(define-data-var nm (string-ascii 40) "start")
${parts.more ?? ''}
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34))))
  (ft-transfer? coin amount from to))
(${define('name')} (get-name) (ok ${name}))
(${define('symbol')} (get-symbol) (ok ${symbol}))
(define-read-only (get-decimals) (ok ${decimals}))
(define-read-only (get-balance (who principal)) (ok (ft-get-balance coin who)))
(define-read-only (get-total-supply) (ok ${parts.supply ?? '(ft-get-supply coin)'}))
(define-read-only (get-token-uri) (ok ${uri}))`;
}

/** Defines `set-name`, a function that sets the name for any caller. */
export const SET_NAME = '(define-public (set-name (s (string-ascii 40))) (begin (var-set nm s) (ok true)))';
/** Returns a function definition. The function sets the name to "yes" if the condition holds, otherwise to "no". */
export const setIf = (condition: string, name = 'stamp') =>
  `(define-public (${name}) (begin (var-set nm (if ${condition} "yes" "no")) (ok true)))`;

/** Returns the source of a SIP-009 collection. The expression `uri` may contain `id`, the token number. */
export function collection(uri: string, more = '', isPublic = false): string {
  return `(define-non-fungible-token thing uint)
(define-data-var last uint u0)
${more}
(define-read-only (get-last-token-id) (ok (var-get last)))
(define-${isPublic ? 'public' : 'read-only'} (get-token-uri (id uint)) (ok ${uri}))
(define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
(define-public (transfer (id uint) (from principal) (to principal)) (nft-transfer? thing id from to))`;
}

/** Defines `mint`, which mints the next token number. */
export const MINT =
  '(define-public (mint) (let ((id (+ u1 (var-get last)))) (var-set last id) (nft-mint? thing id tx-sender)))';

/** The source of a contract with a value that other contracts can read and set. */
export const REGISTRY = `(define-data-var val (string-ascii 40) "reg-start")
(define-data-var open bool false)
(define-read-only (get-val) (var-get val))
(define-read-only (is-open) (var-get open))
(define-public (set-val (s (string-ascii 40))) (begin (var-set val s) (ok true)))
(define-public (set-open (o bool)) (begin (var-set open o) (ok true)))`;

/**
 * Returns the source of a SIP-013 contract that stores supplies in a map. Its getters return these expressions, which
 * may contain `id`.
 */
export function semiFungible({
  more = '',
  decimals = 'u0',
  supply = '(default-to u0 (map-get? supplies id))',
  uri = '"https://a.example/{id}"',
} = {}): string {
  return `(define-fungible-token semi) (define-non-fungible-token semi-id {token-id: uint, owner: principal})
(define-map supplies uint uint) (define-map balances {id: uint, who: principal} uint)
${more}
(define-read-only (get-balance (id uint) (who principal)) (ok (default-to u0 (map-get? balances {id: id, who: who}))))
(define-read-only (get-overall-balance (who principal)) (ok (ft-get-balance semi who)))
(define-read-only (get-total-supply (id uint)) (ok ${supply}))
(define-read-only (get-overall-supply) (ok (ft-get-supply semi)))
(define-read-only (get-decimals (id uint)) (ok ${decimals}))
(define-read-only (get-token-uri (id uint)) (ok (some ${uri})))
(define-public (transfer (id uint) (n uint) (from principal) (to principal)) (ok true))
(define-public (transfer-memo (id uint) (n uint) (from principal) (to principal) (memo (buff 34))) (ok true))
(define-public (mint (id uint) (n uint)) (begin (try! (ft-mint? semi n tx-sender))
  (map-set supplies id (+ n (default-to u0 (map-get? supplies id))))
  (print {type: "sft_mint", token-id: id, amount: n, recipient: tx-sender}) (ok true)))
(define-public (burn (id uint) (n uint)) (begin (try! (ft-burn? semi n tx-sender))
  (map-set supplies id (- (default-to u0 (map-get? supplies id)) n)) (ok true)))`;
}
