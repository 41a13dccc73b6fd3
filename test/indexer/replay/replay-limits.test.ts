// Tests limits of the evaluation of a token: very many calls, and evaluations after a timeout.
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { queueFailedEvaluations, queueLimited } from '#store/replay/evaluation-inputs.ts';
import { countJobs } from '#store/work/jobs.ts';
import { apply, at } from '../../support/chain-index.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { call, deployJson, hashOf } from '../../support/transactions.ts';
import { contract, replayedToken, setUri, token, tokenSource } from './replayed-token.ts';

const { store, evaluate, readingOf, uriAfter } = await replayedToken();

test('reports replay-limit', async () => {
  const blocks = [[token()], [setUri('a:1')], [setUri('a:2')], [setUri('a:3')]];
  expect(await uriAfter(blocks, { maxCalls: 2 })).toMatchObject({
    value: 'a:2',
    height: 2,
    calls: 2,
    failure: { code: 'replay-limit', message: expect.stringContaining('height 3') },
  });
  const queuedWith = async (maxCalls: number) => {
    await store.transaction().execute((writer) => queueLimited(writer, { maxCalls, vmTimeoutMs: 100 }));
    return (await countJobs(store))['evaluate-token'];
  };
  // Queues the token again only if the limit is higher than the limit of the last evaluation.
  expect([await queuedWith(2), await queuedWith(2), await queuedWith(3)]).toEqual([0, 0, 1]);
});

test('gives a token beyond --max-calls the values that it has without other tokens', async () => {
  const lib = contract(
    'lib',
    `(define-data-var x (string-utf8 100) u"") (define-data-var y (string-utf8 100) u"")
     (define-read-only (get-x) (var-get x)) (define-read-only (get-y) (var-get y))
     (define-public (set-y (new (string-utf8 100))) (ok (var-set y new)))
     (define-public (set-both (new (string-utf8 100))) (begin (var-set x new) (ok (var-set y new))))`,
  );
  const reading = (name: string, getter: string) =>
    deployJson(name, tokenSource().replace('(ok (var-get uri))', `(ok (some (contract-call? .lib ${getter})))`), {
      ...{ clarityVersion: 2, interface: TOKEN_INTERFACE },
    });
  const set = (functionName: string, uri: string) => call(functionName, [Cl.stringUtf8(uri)], { on: 'lib' });
  const calls = [set('set-both', 'a:1'), set('set-y', 'a:2'), set('set-y', 'a:3'), set('set-both', 'a:4')];
  await apply(store, [at(0, [lib]), at(1, [reading('with-x', 'get-x'), reading('with-y', 'get-y')]), at(2, calls)]);
  await evaluate({ maxCalls: 3 });
  const uris = store.selectFrom('reading').select(['value', 'failure_code']).where('getter', '=', 'get-token-uri');
  expect(await uris.orderBy('token_id').execute()).toEqual([
    { value: 'a:4', failure_code: null },
    { value: 'a:3', failure_code: 'replay-limit' },
  ]);
});

const HUNDRED = `(list ${'u1 '.repeat(100)})`;
/** The source of a token whose getter of the name does not end within the time limit of a test. */
const ENDLESS = tokenSource(
  undefined,
  `(define-private (f0 (one uint) (sum uint)) (+ one sum))
   ${[1, 2, 3, 4].map((depth) => `(define-private (f${depth} (one uint) (sum uint)) (fold f${depth - 1} ${HUNDRED} sum))`).join('\n')}`,
).replace('(ok "Coin")', `(if (is-eq (fold f4 ${HUNDRED} u0) u0) (ok "Coin") (ok "C"))`);

test('gives each token of a session the whole time limit', { timeout: 60_000 }, async () => {
  const deploys = ['a-slow', 'b-quick', 'c-slow'].map((name) =>
    deployJson(name, name === 'b-quick' ? tokenSource() : ENDLESS, { clarityVersion: 2, interface: TOKEN_INTERFACE }),
  );
  await apply(store, [at(0, deploys)]);
  // A slow machine needs more than a second to start the VM.
  await evaluate({ vmTimeoutMs: 3_000 });
  const message = 'The Clarity VM did not finish within 3 s of processor time.';
  expect(await store.selectFrom('token').select(['state', 'failure_message']).orderBy('token_id').execute()).toEqual([
    { state: 'error', failure_message: message },
    { state: 'partial', failure_message: null },
    { state: 'error', failure_message: message },
  ]);
});

test('evaluates a token that exceeded the time limit again only with a higher limit', async () => {
  await apply(store, [at(0, [token(ENDLESS)])]);
  await evaluate({ vmTimeoutMs: 100 });
  const state = store.selectFrom('token').select(['state', 'failure_code']);
  expect(await state.execute()).toEqual([{ state: 'error', failure_code: 'vm-timeout' }]);
  const queuedWith = async (vmTimeoutMs: number) => {
    await store.transaction().execute((writer) => queueLimited(writer, { maxCalls: 9, vmTimeoutMs }));
    return (await countJobs(store))['evaluate-token'];
  };
  expect([await queuedWith(100), await queuedWith(50), await queuedWith(200)]).toEqual([0, 0, 1]);
  const grows = (vmTimeoutMs: number) =>
    store.transaction().execute((writer) => queueLimited(writer, { maxCalls: 9, vmTimeoutMs }));
  expect([await grows(200), await grows(400)]).toEqual([false, true]);
});

test('evaluates tokens again in a refresh after a timeout', async () => {
  await uriAfter([[token()]], {});
  const queued = async () => {
    await store.transaction().execute((writer) => queueFailedEvaluations(writer, []));
    return (await countJobs(store))['evaluate-token'];
  };
  expect(await queued()).toBe(0);
  await store.updateTable('token').set({ state: 'error', failure_code: 'vm-timeout', failure_message: '' }).execute();
  expect(await queued()).toBe(1);
  // A refresh resets the attempts of a job that is still queued.
  await store.updateTable('job').set({ attempts: 3 }).execute();
  await queued();
  expect(await store.selectFrom('job').select('attempts').execute()).toEqual([{ attempts: 0 }]);
});

test('replays very many calls of one token', async () => {
  await apply(store, [at(0, [token()])]);
  const COUNT = 2_000;
  // Signing each transaction would take longer than replaying it, so the test changes copies of one signed transaction.
  const signed = setUri('a:00000');
  const calls = Array.from({ length: COUNT }, (_, index) => {
    const uri = Buffer.from(`a:${String(index).padStart(5, '0')}`).toString('hex');
    const raw_tx = String(signed.raw_tx).replace(Buffer.from('a:00000').toString('hex'), uri);
    return { ...signed, txid: hashOf(index), raw_tx };
  });
  await apply(store, [at(1, calls)]);
  await evaluate({ maxCalls: COUNT, vmTimeoutMs: 120_000 });
  expect(await readingOf()).toMatchObject({ value: `a:${String(COUNT - 1).padStart(5, '0')}`, calls: COUNT });
}, 120_000);
