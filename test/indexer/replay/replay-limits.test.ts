// Tests values at the archive's tip if there are very many calls, or if a call hangs or crashes the VM.
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { queueFailedEvaluations, queueLimited } from '#store/replay/evaluation-inputs.ts';
import { countJobs } from '#store/work/jobs.ts';
import { apply, at } from '../../support/chain-index.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, call, deployJson, hashOf } from '../../support/transactions.ts';
import { replayedToken, setUri, token, tokenSource } from './replayed-token.ts';

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
    await store.transaction().execute((writer) => queueLimited(writer, maxCalls));
    return (await countJobs(store))['evaluate-token'];
  };
  // Queues the token again only if the limit is higher than the limit of the last evaluation.
  expect([await queuedWith(2), await queuedWith(2), await queuedWith(3)]).toEqual([0, 0, 1]);
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

test('serves the value before a call that never ends', async () => {
  const numbers = `(list ${Array.from({ length: 50 }, (_, index) => `u${index}`).join(' ')})`;
  const loops = Array.from({ length: 6 }, (_, depth) => {
    const inner = depth === 0 ? '(+ one sum)' : `(fold loop-${depth - 1} ${numbers} sum)`;
    return `(define-private (loop-${depth} (one uint) (sum uint)) ${inner})`;
  }).join('\n');
  const endless = tokenSource(
    undefined,
    `${loops}\n(define-public (spin) (ok (var-set uri (if (> (fold loop-5 ${numbers} u0) u0)
  (some u"a:spun") none))))`,
  );
  await apply(store, [at(0, [token(endless)]), at(1, [setUri('a:1')]), at(2, [call('spin', [])])]);
  await evaluate({ vmTimeoutMs: 100 });
  expect(await readingOf()).toBeUndefined();
  // The last attempt of a job gets eight times the time limit.
  await store.updateTable('job').set({ attempts: 3 }).execute();
  await evaluate({ vmTimeoutMs: 800 });
  expect(await readingOf()).toMatchObject({ value: 'a:1', height: 1, failure: { code: 'replay-diverged' } });
}, 60_000);

test('separates a token that crashes the VM with few sessions', async () => {
  const crashing = deployJson('crashing', tokenSource(), { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: 99 });
  const intact = Array.from({ length: 31 }, (_, index) =>
    deployJson(`token-${index}`, tokenSource(), { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: index }),
  );
  await apply(store, [at(0, [crashing, ...intact])]);
  // The VM panics at an address with a wrong checksum. No chain has such an address.
  for (const table of ['deploy', 'contract'] as const)
    await store
      .updateTable(table)
      .set({ contract_id: `${ADDRESS.slice(0, -1)}0.crashing` })
      .where('contract_id', '=', `${ADDRESS}.crashing`)
      .execute();
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  await evaluate();
  expect(posted.mock.calls.length).toBeLessThan(intact.length);
  posted.mockRestore();
  const readings = await store.selectFrom('reading').select('value').where('getter', '=', 'get-name').execute();
  expect(readings).toEqual(intact.map(() => ({ value: 'Coin' })));
  const failed = await store.selectFrom('token').select('failure_code').where('state', '=', 'error').execute();
  expect(failed).toEqual([{ failure_code: 'vm-crash' }]);
}, 120_000);

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
