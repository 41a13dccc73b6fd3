// Tests values at the archive's tip if a call hangs or crashes the VM.
import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { apply, at } from '../../support/chain-index.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, call, deployJson } from '../../support/transactions.ts';
import { replayedToken, setUri, token, tokenSource } from './replayed-token.ts';

const { store, evaluate, readingOf } = await replayedToken();

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
  await evaluate({ vmTimeoutMs: 4_000 });
  expect(await readingOf()).toMatchObject({ value: 'a:1', height: 1, failure: { code: 'replay-diverged' } });
}, 600_000);

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
}, 600_000);
