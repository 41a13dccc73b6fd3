// Tests the tokens of collections, which come from events on every fork, and the values that all tokens of a collection
// share.
import { Cl } from '@stacks/transactions';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { queueNewTokens } from '#indexer/queue/queue-new-tokens.ts';
import { countTokensOf } from '#store/tokens/collection-states.ts';
import { insertNumbers } from '#store/tokens/collections.ts';
import { apply, at, mustRead } from '../../support/chain-index.ts';
import { SFT_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, call, deployJson, nftEvent, printEvent } from '../../support/transactions.ts';
import { burned, collectionIndex, HUGE, ID, minted, mintedTo, OWN_URIS, SHARED } from './collection-index.ts';

const { store, evaluate, tokens } = await collectionIndex();
/** The state and URI of every token of {@link SHARED} after an evaluation. */
const READ = 'partial https://x.test/{id}.json';

async function counts() {
  const { deployId } = await mustRead(store, ID);
  return (await countTokensOf(store, [deployId])).get(deployId);
}

test('reads shared values once', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(0, 7, HUGE))]);
  expect(await tokens()).toEqual({ 0: 'queued -', 7: 'queued -', [String(HUGE)]: 'queued -' });
  expect(await evaluate()).toBe(1);
  expect(await tokens()).toEqual({ 0: READ, 7: READ, [String(HUGE)]: READ });
  expect(await store.selectFrom('reading').select('token_id').execute()).toHaveLength(1);
});

test('does not evaluate again after a mint if all values are shared', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1))]);
  await evaluate();
  await apply(store, [at(2, ...minted(2))]);
  expect(await evaluate()).toBe(0);
  expect(await tokens()).toMatchObject({ 2: READ });
});

test('writes only a few rows for a mint in a large collection', async () => {
  const changes = async () => {
    const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(store);
    return Number(rows[0]?.changes);
  };
  await apply(store, [at(0, [SHARED]), at(1, ...minted(...Array.from({ length: 2_000 }, (_, index) => index)))]);
  await evaluate();
  const before = await changes();
  await apply(store, [at(2, ...minted(2_000))]);
  expect((await changes()) - before).toBeLessThan(20);
});

test('replays a map that mints fill, and changes only new tokens', async () => {
  await apply(store, [at(0, [OWN_URIS]), at(1, ...mintedTo('a:1', 1n))]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial a:1' });
  const before = await revisionOf('1');
  await apply(store, [at(2, ...mintedTo('a:2', 2n))]);
  expect(await evaluate()).toBe(1);
  expect(await tokens()).toEqual({ 1: 'partial a:1', 2: 'partial a:2' });
  expect(await revisionOf('1')).toBe(before);
});

test('evaluates a token that is found while its collection is evaluated', async () => {
  await apply(store, [at(0, [OWN_URIS]), at(1, ...mintedTo('a:1', 1n))]);
  const { deployId } = await mustRead(store, ID);
  const find = () =>
    store.transaction().execute(async (transaction) => {
      await insertNumbers(transaction, deployId, ['2'], 100);
      await queueNewTokens(transaction, [deployId], 'uris');
    });
  expect(await evaluate({}, find)).toBe(1);
  expect(await tokens()).toMatchObject({ 1: 'partial a:1', 2: 'queued -' });
  expect(await evaluate()).toBe(1);
  expect(await tokens()).toMatchObject({ 2: 'partial -' });
  expect(await evaluate()).toBe(0);
});

test('ignores a mint on an orphan until the orphan is adopted', async () => {
  const [orphaned, orphan] = minted(2);
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1)), at(1, orphaned, { ...orphan, id: '1b' })]);
  const [transactions, options] = minted(3);
  await apply(store, [at(1, transactions, { ...options, id: '1c' })]);
  await evaluate();
  expect(Object.keys(await tokens())).toEqual(['1']);
  await apply(store, [at(2, [], { id: '2c', parent: '1c' })]);
  expect(await tokens()).toEqual({ 3: READ });
  expect(await counts()).toMatchObject({ minted: 1 });
});

test('keeps burned tokens, and restores tokens that are minted again', async () => {
  await apply(store, [at(0, [SHARED]), at(1, ...minted(1, 2)), at(2, ...burned(1)), at(3, ...burned(2))]);
  await apply(store, [at(4, ...minted(2))]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: `${READ}+`, 2: READ });
});

test('SIP-013, Events: finds tokens by prints and assets, and ignores burns', async () => {
  const source = `(define-fungible-token part)
      (define-map supplies uint uint)
      (define-read-only (get-decimals (id uint)) (ok u2))
      (define-read-only (get-total-supply (id uint)) (ok (default-to u0 (map-get? supplies id))))
      (define-read-only (get-token-uri (id uint)) (ok (some "https://x.test/{id}")))
      (define-public (mint (id uint) (amount uint)) (ok (map-set supplies id amount)))`;
  const mint = call('mint', [Cl.uint(1), Cl.uint(50)]);
  const other = call('other', []);
  await apply(store, [
    at(0, [deployJson('token', source, { clarityVersion: 2, interface: SFT_INTERFACE })]),
    at(1, [mint, other], {
      events: [
        nftEvent('mint', other.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        nftEvent('burn', other.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        printEvent(
          other.txid,
          ID,
          Cl.tuple({ type: Cl.stringAscii('sft_mint'), 'token-id': Cl.uint(9), amount: Cl.uint(1) }),
        ),
      ],
    }),
  ]);
  await evaluate();
  expect(await tokens()).toEqual({ 1: 'partial https://x.test/{id}', 9: 'partial https://x.test/{id}' });
  const supplies = await store
    .selectFrom('reading')
    .innerJoin('token', 'token.token_id', 'reading.token_id')
    .select(['token_number', 'value', 'height', 'calls'])
    .where('getter', '=', 'get-total-supply')
    .orderBy('token_number')
    .execute();
  expect(supplies).toEqual([
    { token_number: '1', value: '50', height: 1, calls: 1 },
    { token_number: '9', value: '0', height: 1, calls: 1 },
  ]);
});

test('limits tokens to --max-nft-tokens, and counts the left-out tokens', async () => {
  const numbers = Array.from({ length: 2_400 }, (_, index) => index);
  await apply(store, [at(0, [SHARED]), at(1, ...minted(...numbers, 5, 5))], { maxNftTokens: 2_000 });
  expect(await counts()).toEqual({ minted: 2_000, leftOut: 400 });
  await apply(store, [at(2, ...minted(99_999))], { maxNftTokens: 2_000 });
  expect(await counts()).toMatchObject({ minted: 2_000, leftOut: 401 });
  await apply(store, [at(3, ...burned(99_999))], { maxNftTokens: 2_000 });
  expect(await counts()).toMatchObject({ minted: 2_000, leftOut: 401 });
});

test('ignores events of other contracts and of assets without unsigned numbers', async () => {
  const mint = call('mint', []);
  await apply(store, [
    at(0, [deployJson('coin', '(print 1)', { interface: TOKEN_INTERFACE, nonce: 9 }), SHARED]),
    at(1, [mint], {
      events: [
        nftEvent('mint', mint.txid, `${ADDRESS}.coin`, 1n),
        nftEvent('mint', mint.txid, `${ADDRESS}.missing`, 1n),
        nftEvent('mint', mint.txid, ID, { owner: Cl.principal(ADDRESS), 'token-id': Cl.uint(1) }),
        { ...nftEvent('mint', mint.txid, ID, 3n), committed: false },
        // This event mints a different asset of the contract, which is not the asset of the tokens.
        JSON.parse(JSON.stringify(nftEvent('mint', mint.txid, ID, 4n)).replace('::thing', '::badge')),
      ],
    }),
  ]);
  expect(await tokens()).toEqual({});
});

test('counts tokens of a contract that is a collection on only one fork', async () => {
  const fungible = deployJson('token', '(print 1)', { interface: TOKEN_INTERFACE });
  const [transactions, options] = minted(1);
  await apply(store, [
    at(0, []),
    at(1, [SHARED], { id: '1a' }),
    at(2, transactions, { ...options, id: '2a', parent: '1a' }),
    at(1, [fungible], { id: '1b' }),
  ]);
  await evaluate();
  expect(Object.keys(await tokens())).toEqual(['1']);
  await apply(store, [at(2, [], { id: '2b', parent: '1b' }), at(3, [], { id: '3b', parent: '2b' })]);
  expect((await mustRead(store, ID)).standard).toBe('sip-010');
  expect(await tokens()).toEqual({});
  const left = await store.selectFrom('collection').select('minted').execute();
  expect(left).toEqual([{ minted: 0 }]);
});

/** Returns the revision of the index in which a token last changed. */
async function revisionOf(tokenNumber: string): Promise<number | undefined> {
  const row = await store
    .selectFrom('ledger')
    .innerJoin('token', 'token.token_id', 'ledger.key')
    .select('revision')
    .where('entity', '=', 'token')
    .where('token_number', '=', tokenNumber)
    .executeTakeFirst();
  return row?.revision;
}
