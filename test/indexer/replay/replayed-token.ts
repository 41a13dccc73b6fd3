// Makes a token whose calls change its URI, and an index in which the VM evaluates the token. The index is empty before
// each test.
import { Cl } from '@stacks/transactions';
import type { Reading, TokenGetter } from '#model/token.ts';
import type { Store } from '#store/index-database.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { apply, at, mustRead } from '../../support/chain-index.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, type CallOptions, call, deployJson, type Json } from '../../support/transactions.ts';

export const TOKEN = `${ADDRESS}.token`;

/** Returns the source of a token. Its function `set-uri` changes the URI if the expression `guard` is true. */
export const tokenSource = (guard = '(is-eq tx-sender (var-get owner))', more = '') => `
(define-fungible-token coin)
(define-data-var uri (optional (string-utf8 100)) none)
(define-data-var owner principal tx-sender)
(define-read-only (get-name) (ok "Coin"))
(define-read-only (get-symbol) (ok "C"))
(define-read-only (get-decimals) (ok u6))
(define-read-only (get-total-supply) (ok (ft-get-supply coin)))
(define-read-only (get-token-uri) (ok (var-get uri)))
(define-public (set-uri (new (string-utf8 100))) (begin (asserts! ${guard} (err u1)) (ok (var-set uri (some new)))))
(define-public (set-owner (new principal)) (begin (asserts! (is-eq tx-sender (var-get owner)) (err u1)) (ok
  (var-set owner new))))
(define-public (ping) (ok true))
${more}`;

export const token = (source = tokenSource()) =>
  deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE });
export const contract = (name: string, source: string, nonce = 1) =>
  deployJson(name, source, { clarityVersion: 2, interface: EMPTY_INTERFACE, nonce });

/** Returns the deploy of a contract that the token may read. Its function `set-uri` changes the result of `get-uri`. */
export const uriHolder = (name: string, more = '', nonce = 1) =>
  contract(
    name,
    `(define-data-var uri (string-utf8 100) u"a:${name}")
     (define-read-only (get-uri) (var-get uri))
     (define-public (set-uri (new (string-utf8 100))) (ok (var-set uri new)))${more}`,
    nonce,
  );
/** The deploy of a contract that the token may read. {@link setName} changes the result of its `get-name`. */
export const NAMED = contract(
  'older',
  `(define-data-var name (string-ascii 20) "Older")
   (define-data-var symbol (string-ascii 20) "OLD")
   (define-read-only (get-name) (var-get name))
   (define-read-only (get-symbol) (var-get symbol))
   (define-public (set-name (new (string-ascii 20))) (ok (var-set name new)))`,
);
export const setName = (name: string, options?: CallOptions) =>
  call('set-name', [Cl.stringAscii(name)], { on: 'older', ...options });

export const setUri = (uri: string, options?: CallOptions) => call('set-uri', [Cl.stringUtf8(uri)], options);

export const PROVEN = { getter: 'get-token-uri', source: 'vm' };

/** Returns the stored result of one of the token's getters; undefined if there is no result. */
export async function readingOf(store: Store, getter: TokenGetter = 'get-token-uri'): Promise<Reading | undefined> {
  const { deployId } = await mustRead(store, TOKEN);
  return (await readTokens(store, [deployId])).get(deployId)?.readings.find((reading) => reading.getter === getter);
}

/**
 * Opens an index for all tests of a file, with functions that evaluate the token and read from the index. Call it
 * outside a test.
 */
export async function replayedToken() {
  const { store, evaluate } = await indexOfArchive();

  /** Applies blocks with these transactions, evaluates the tokens, and returns the token's URI. */
  async function uriAfter(
    blocks: readonly (readonly Json[])[],
    ...limits: Parameters<typeof evaluate>
  ): Promise<Reading | undefined> {
    const events = blocks.map((transactions, height) => at(height, transactions));
    await apply(store, events);
    await evaluate(...limits);
    return readingOf(store);
  }

  return { store, evaluate, readingOf: (getter?: TokenGetter) => readingOf(store, getter), uriAfter };
}
