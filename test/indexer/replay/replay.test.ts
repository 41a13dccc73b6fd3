import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { countChanges, lastRevision } from '#store/ledger/ledger.ts';
import { queueEvaluated } from '#store/replay/evaluation-inputs.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { apply, at, mustRead } from '../../support/chain-index.ts';
import { emptyIndex } from '../../support/index-of-archive.ts';
import { call, type Json } from '../../support/transactions.ts';
import { PROVEN, replayedToken, setUri, TOKEN, token } from './replayed-token.ts';

const { store, evaluate, readingOf, uriAfter } = await replayedToken();

// The different ways to write a value are tested in test/reliability/tip/cases.
test("replays transactions confirmed from microblocks before the block's calls", async () => {
  const early = (transaction: Json, microblock_sequence: number) => ({ ...transaction, microblock_sequence });
  expect(await uriAfter([[setUri('a:2'), early(token(), 0), early(setUri('a:1'), 1)]])).toMatchObject({
    value: 'a:2',
    calls: 2,
  });
});

test('does not mark a token as changed if no value changed', async () => {
  const odd = setUri('a:2', { result: Cl.ok(Cl.uint(7)) });
  for (const blocks of [
    [[token()], [setUri('a:1')]],
    [[token()], [setUri('a:1')], [odd]],
  ]) {
    await emptyIndex(store);
    await uriAfter(blocks);
    const reading = await readingOf();
    await store.transaction().execute(queueEvaluated);
    const before = await lastRevision(store);
    expect(await evaluate()).toBe(1);
    expect(await readingOf()).toEqual(reading);
    expect(await countChanges(store, before)).toEqual({ 'status-only': 1 });
  }
});

test('changes only the status of a token if a call writes the same value', async () => {
  await uriAfter([[token()], [setUri('a:1')]]);
  const before = await lastRevision(store);
  await apply(store, [at(2, [setUri('a:1')])]);
  await evaluate();
  expect(await readingOf()).toMatchObject({ value: 'a:1', height: 2, calls: 2 });
  expect(await countChanges(store, before)).toEqual({ status: 1, 'status-only': 1 });
});

test('uses the height of the deploy for a value that no call can change', async () => {
  await apply(store, [at(0, []), at(1, [token()]), at(2, [setUri('a:1')])]);
  await evaluate();
  expect(await readingOf('get-name')).toEqual({ getter: 'get-name', source: 'vm', value: 'Coin', height: 1, calls: 0 });
});

test('does not record calls of functions that write nothing, or evaluate after them', async () => {
  await apply(store, [at(0, [token()])]);
  expect(await evaluate()).toBe(1);
  await apply(store, [at(1, [call('ping', []), call('transfer', [Cl.uint(1)])])]);
  expect(await store.selectFrom('call').select('block_id').execute()).toEqual([]);
  expect(await evaluate()).toBe(0);
  await apply(store, [at(2, [setUri('a:1')])]);
  expect(await evaluate()).toBe(1);
  expect(await readingOf()).toMatchObject({ value: 'a:1', height: 2 });
});

test('replays a call on an orphan when the orphan is adopted', async () => {
  await apply(store, [at(0, [token()]), at(1, [setUri('a:1')]), at(1, [setUri('a:orphan')], { id: '1b' })]);
  await evaluate();
  expect(await readingOf()).toMatchObject({ value: 'a:1' });
  await apply(store, [at(2, [], { id: '2b', parent: '1b' })]);
  expect(await evaluate()).toBe(1);
  expect(await readingOf()).toEqual({ ...PROVEN, value: 'a:orphan', height: 1, calls: 1 });
});

test("replaces a node's value from a lower tip, and keeps one from a higher tip", async () => {
  for (const [height, value] of [
    [1, 'a:2'],
    [2, 'a:node'],
  ] as const) {
    await apply(store, [at(0, [token()]), at(1, []), at(2, [setUri('a:2')])]);
    const { deployId } = await mustRead(store, TOKEN);
    const { tokenId } = (await readTokens(store, [deployId])).get(deployId) ?? { tokenId: 0 };
    const nodeReading = { getter: 'get-token-uri', source: 'node', value: 'a:node', height, tokenId } as const;
    await store.transaction().execute((transaction) => writeReadings(transaction, [nodeReading]));
    await evaluate();
    expect(await readingOf()).toMatchObject({ value });
  }
});
