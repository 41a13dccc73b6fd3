// Makes collections for tests, with their sources, mints and burns, and an index whose tokens the real VM evaluates.
import { Cl } from '@stacks/transactions';
import type { Store } from '#store/index-database.ts';
import { readCollectionStates } from '#store/tokens/collection-states.ts';
import { readTokensById } from '#store/tokens/tokens.ts';
import { mustRead } from '../../support/chain-index.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { COLLECTION_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, call, deployJson, type Json, nftEvent } from '../../support/transactions.ts';

export const ID = `${ADDRESS}.token`;
export const HUGE = 2n ** 128n - 1n;

/** Returns the deploy of a collection. `getter` is the body of its `get-token-uri`, and `more` is additional code. */
export const collection = (getter: string, more = '', name = 'token') =>
  deployJson(
    name,
    `(define-non-fungible-token thing uint)
     (define-read-only (get-last-token-id) (ok u0))
     (define-read-only (get-owner (id uint)) (ok (nft-get-owner? thing id)))
     (define-public (transfer (id uint) (from principal) (to principal)) (ok true))
     ${more}
     (define-read-only (get-token-uri (id uint)) ${getter})`,
    { clarityVersion: 2, interface: COLLECTION_INTERFACE },
  );
export const SHARED = collection('(ok (some "https://x.test/{id}.json"))');
/** The deploy of a collection. A call of its function `mint` sets the URI of the minted token. */
export const OWN_URIS = collection(
  '(ok (map-get? uris id))',
  `(define-map uris uint (string-ascii 100))
   (define-public (mint (id uint) (uri (string-ascii 100)))
     (begin (map-set uris id uri) (nft-mint? thing id tx-sender)))`,
);

/** Returns a transaction and the events that `make` returns for it, as arguments that make a block. */
export const withEvents = (make: (txid: unknown) => readonly Json[], transaction = call('mint', [])) =>
  [[transaction], { events: make(transaction.txid) }] as const;
export const minted = (...numbers: readonly (bigint | number)[]) =>
  withEvents((txid) => numbers.map((number) => nftEvent('mint', txid, ID, BigInt(number))));
/** Returns a call of `mint` in {@link OWN_URIS}, which mints a token with this URI. */
export const mintedTo = (uri: string, number: bigint) =>
  withEvents((txid) => [nftEvent('mint', txid, ID, number)], call('mint', [Cl.uint(number), Cl.stringAscii(uri)]));
export const burned = (number: number) => withEvents((txid) => [nftEvent('burn', txid, ID, BigInt(number))]);

/** Opens an index, and empties it before each test. Returns functions that read from it. Call it outside a test. */
export async function collectionIndex() {
  const { store, evaluate } = await indexOfArchive();
  return {
    store,
    evaluate,
    states: async () => readCollectionStates(store, (await mustRead(store, ID)).deployId, 10),
    tokens: () => readTokens(store),
  };
}

/** Reads the state and URI of each token that was minted, by token number. A `+` marks burned tokens. */
async function readTokens(store: Store): Promise<Record<string, string>> {
  const { deployId } = await mustRead(store, ID);
  const rows = await store
    .selectFrom('token')
    .select('token_id')
    .where('deploy_id', '=', deployId)
    .where('token_number', '<>', '')
    .where('minted', '=', 1)
    .execute();
  const read = await readTokensById(
    store,
    rows.map((row) => row.token_id),
  );
  return Object.fromEntries(
    read.map(({ tokenNumber, state, values, isBurned }) => [
      tokenNumber,
      `${state} ${values.tokenUri ?? '-'}${isBurned ? '+' : ''}`,
    ]),
  );
}
