// Values at the archive's tip: contract calls that are recorded while the archive streams by, replayed in the real VM.
import { Worker } from 'node:worker_threads';
import { Cl, type ClarityValue } from '@stacks/transactions';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Reading, TokenGetter } from '#model/token.ts';
import { writeReadings } from '#store/tokens/readings.ts';
import { readTokens } from '#store/tokens/tokens.ts';
import { unsignedDeploy } from '../../../scripts/unsigned-deploy.ts';
import { apply, mustRead } from '../../support/chain-index.ts';
import { emptyIndex } from '../../support/empty-index.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { addressOf, deployJson, hashOf, type Json, OTHER_KEY } from '../../support/observer-lines.ts';
import { ADDRESS, at, type CallOptions, call, OK, openVmIndex } from '../../support/vm-index.ts';

const TOKEN = `${ADDRESS}.token`;

/** A token whose URI `set-uri` changes, for whom `guard` lets. */
const tokenSource = (guard = '(is-eq tx-sender (var-get owner))', more = '') => `
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

const token = (source = tokenSource()) =>
  deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE });
const contract = (name: string, source: string, nonce = 1) =>
  deployJson(name, source, { clarityVersion: 2, interface: EMPTY_INTERFACE, nonce });

const setUri = (uri: string, options?: CallOptions) => call('set-uri', [Cl.stringUtf8(uri)], options);

const { store, evaluate, close } = await openVmIndex();
beforeEach(() => emptyIndex(store));
afterAll(close);

async function readingOf(getter: TokenGetter = 'get-token-uri'): Promise<Reading | undefined> {
  const { deployId } = await mustRead(store, TOKEN);
  return (await readTokens(store, [deployId])).get(deployId)?.readings.find((one) => one.getter === getter);
}

/** What the token's URI is after these blocks. */
async function uriAfter(
  blocks: readonly (readonly Json[])[],
  limits: Parameters<typeof evaluate>[0] = {},
): Promise<Reading | undefined> {
  await apply(
    store,
    blocks.map((transactions, height) => at(height, transactions)),
  );
  await evaluate(limits);
  return readingOf();
}

const PROVEN = { getter: 'get-token-uri', source: 'vm' };

describe('values at the tip', () => {
  test('default', async () => {
    expect(await uriAfter([[token()], [setUri('a:1')], [], [setUri('a:2')]])).toEqual({
      ...PROVEN,
      value: 'a:2',
      height: 3,
      calls: 2,
    });
  });

  test('behavior: a getter that no call can change is that of the deploy', async () => {
    await apply(store, [at(0, []), at(1, [token()]), at(2, [setUri('a:1')])]);
    await evaluate();
    expect(await readingOf('get-name')).toEqual({
      getter: 'get-name',
      source: 'vm',
      value: 'Coin',
      height: 1,
      calls: 0,
    });
  });

  test('behavior: calls that change nothing of it are not recorded, and nothing is evaluated again', async () => {
    await apply(store, [at(0, [token()])]);
    expect(await evaluate()).toBe(1);
    await apply(store, [at(1, [call('ping', []), call('transfer', [Cl.uint(1)])])]);
    expect(await store.selectFrom('call').select('call_id').execute()).toEqual([]);
    expect(await evaluate()).toBe(0);
    await apply(store, [at(2, [setUri('a:1')])]);
    expect(await evaluate()).toBe(1);
    expect(await readingOf()).toMatchObject({ value: 'a:1', height: 2 });
  });

  test('behavior: through a proxy', async () => {
    const proxy = contract(
      'proxy',
      '(define-public (pass (new (string-utf8 100))) (contract-call? .token set-uri new))',
    );
    const passed = call('pass', [Cl.stringUtf8('a:proxy')], { on: 'proxy' });
    expect(await uriAfter([[token()], [proxy], [passed]])).toEqual({
      ...PROVEN,
      value: 'a:proxy',
      height: 2,
      calls: 1,
    });
  });

  test('behavior: by a proposal that is an argument', async () => {
    const dao = contract(
      'dao',
      `(define-trait proposal ((execute () (response bool uint))))
       (define-public (run (one <proposal>)) (as-contract (contract-call? one execute)))`,
    );
    const proposal = contract(
      'proposal',
      `(impl-trait .dao.proposal)
       (define-public (execute) (contract-call? .token set-uri u"a:voted"))`,
      2,
    );
    const owned = call('set-owner', [Cl.contractPrincipal(ADDRESS, 'dao')]);
    const run = call('run', [Cl.contractPrincipal(ADDRESS, 'proposal')], { on: 'dao' });
    expect(await uriAfter([[token()], [dao, proposal], [owned], [run]])).toEqual({
      ...PROVEN,
      value: 'a:voted',
      height: 3,
      calls: 1,
    });
  });

  test('behavior: a call that failed on chain is not made, even if the VM would let it pass', async () => {
    const failed = setUri('a:never', { status: 'abort_by_response', result: Cl.error(Cl.uint(1)) });
    expect(await uriAfter([[token()], [setUri('a:1')], [failed]])).toMatchObject({ value: 'a:1', height: 1, calls: 1 });
  });

  test('behavior: a call that passed a guard on chain passes it here, though its state is not there', async () => {
    const guarded = tokenSource('(> block-height u800000)');
    expect(await uriAfter([[token(guarded)], [setUri('a:late')]])).toEqual({
      ...PROVEN,
      value: 'a:late',
      height: 1,
      calls: 1,
    });
  });

  test('behavior: an owner that a call has set', async () => {
    const owned = call('set-owner', [Cl.standardPrincipal(addressOf(OTHER_KEY))]);
    const blocks = [[token()], [owned], [setUri('a:theirs', { key: OTHER_KEY })]];
    expect(await uriAfter(blocks)).toEqual({ ...PROVEN, value: 'a:theirs', height: 2, calls: 1 });
  });

  test('behavior: a setter on an orphan counts from when the orphan is adopted', async () => {
    await apply(store, [
      at(0, [token()]),
      at(1, [setUri('a:1')]),
      at(1, [setUri('a:orphan')], { id: '1b', parent: '0' }),
    ]);
    await evaluate();
    expect(await readingOf()).toMatchObject({ value: 'a:1' });
    await apply(store, [at(2, [], { id: '2b', parent: '1b' })]);
    expect(await evaluate()).toBe(1);
    expect(await readingOf()).toEqual({ ...PROVEN, value: 'a:orphan', height: 1, calls: 1 });
  });

  test('behavior: a value from a node at a lower tip gives way, one at a higher tip stays', async () => {
    for (const [height, value] of [
      [1, 'a:2'],
      [2, 'a:node'],
    ] as const) {
      await apply(store, [at(0, [token()]), at(1, []), at(2, [setUri('a:2')])]);
      const { deployId } = await mustRead(store, TOKEN);
      const { tokenId } = (await readTokens(store, [deployId])).get(deployId) ?? { tokenId: 0 };
      const ofNode = { getter: 'get-token-uri', source: 'node', value: 'a:node', height, tokenId } as const;
      await store.transaction().execute((transaction) => writeReadings(transaction, [ofNode]));
      await evaluate();
      expect(await readingOf()).toMatchObject({ value });
    }
  });

  test('error: replay-diverged: a call into a contract that the archive does not have', async () => {
    const open = tokenSource(
      undefined,
      `(define-trait source ((get-uri () (response (string-utf8 100) uint))))
       (define-public (take (from <source>)) (ok (var-set uri (some (try! (contract-call? from get-uri))))))`,
    );
    const taken = call('take', [Cl.contractPrincipal(addressOf(OTHER_KEY), 'elsewhere')]);
    expect(await uriAfter([[token(open)], [setUri('a:1')], [taken]])).toMatchObject({
      value: 'a:1',
      height: 1,
      calls: 1,
      failure: { code: 'replay-diverged', message: expect.stringContaining(`${taken.txid} at height 2`) },
    });
  });

  test('error: replay-diverged: another result than on chain; what came before is answered', async () => {
    const odd = setUri('a:2', { result: Cl.ok(Cl.uint(7)) });
    expect(await uriAfter([[token()], [setUri('a:1')], [odd], [setUri('a:3')]])).toMatchObject({
      value: 'a:1',
      height: 1,
      failure: { code: 'replay-diverged' },
    });
  });

  test('error: replay-diverged, before the deploy of a token that reads it', async () => {
    const older = contract(
      'older',
      `(define-data-var name (string-ascii 20) "Older")
       (define-read-only (get-name) (var-get name))
       (define-public (set-name (new (string-ascii 20))) (ok (var-set name new)))`,
    );
    const reader = tokenSource().replace('(ok "Coin")', '(ok (contract-call? .older get-name))');
    const first = deployJson('first', reader, { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: 2 });
    const setName = (name: string, result: ClarityValue = OK) =>
      call('set-name', [Cl.stringAscii(name)], { on: 'older', result });
    await apply(store, [
      at(0, [older, first]),
      at(1, [setName('Proven')]),
      at(2, [setName('Odd', Cl.ok(Cl.uint(7)))]),
      at(3, [token(reader)]),
    ]);
    await evaluate();
    expect(await readingOf('get-name')).toMatchObject({
      value: 'Proven',
      height: 3,
      calls: 1,
      failure: { code: 'replay-diverged' },
    });
    expect(await readingOf('get-symbol')).toMatchObject({ value: 'C', height: 3 });
  });

  /** A token whose `publish` writes the URI from a base that `set-base` writes, for whom the guards let. */
  const published = (guard = 'true') =>
    tokenSource(
      undefined,
      `(define-data-var base (string-utf8 100) u"a:base")
       (define-public (set-base (new (string-utf8 100))) (ok (var-set base new)))
       (define-private (check) (ok (asserts! ${guard} (err u1))))
       (define-public (publish) (begin (try! (check)) (ok (var-set uri (some (var-get base))))))`,
    );
  const setBase = (base: string, result?: ClarityValue) =>
    call('set-base', [Cl.stringUtf8(base)], result === undefined ? {} : { result });

  test('error: replay-diverged: a call whose trace a later one that proves right carries on', async () => {
    const blocks = [[token(published())], [call('publish', [])], [setBase('a:odd', Cl.ok(Cl.uint(7)))]];
    expect(await uriAfter(blocks)).toEqual({ ...PROVEN, value: 'a:base', height: 1, calls: 1 });
    await apply(store, [at(3, [call('publish', [])])]);
    await evaluate();
    expect(await readingOf()).toMatchObject({
      value: 'a:base',
      height: 1,
      calls: 1,
      failure: { code: 'replay-diverged', message: expect.stringContaining('set-base') },
    });
  });

  test('behavior: what only guards read of a call that diverged is proven by the calls that passed them', async () => {
    const source = published('(is-eq tx-sender (var-get owner))');
    const odd = call('set-owner', [Cl.standardPrincipal(ADDRESS)], { result: Cl.ok(Cl.uint(7)) });
    const blocks = [[token(source)], [odd], [setBase('a:1')], [call('publish', [])], [setUri('a:2')]];
    expect(await uriAfter(blocks)).toEqual({ ...PROVEN, value: 'a:2', height: 4, calls: 2 });
  });

  test('behavior: a contract that passes the token as a trait by its name', async () => {
    const admin = contract(
      'admin',
      `(define-trait settable ((set-uri ((string-utf8 100)) (response bool uint))))
       (define-private (set-of (it <settable>) (new (string-utf8 100))) (contract-call? it set-uri new))
       (define-public (pass (new (string-utf8 100))) (set-of .token new))`,
    );
    const passed = call('pass', [Cl.stringUtf8('a:named')], { on: 'admin' });
    expect(await uriAfter([[token()], [admin], [passed]])).toEqual({
      ...PROVEN,
      value: 'a:named',
      height: 2,
      calls: 1,
    });
  });

  test('error: calls-not-recorded: what the deploy, or a call, takes from an older contract', async () => {
    const older = contract(
      'older',
      `(define-data-var uri (string-utf8 100) u"a:older")
       (define-read-only (get-uri) (var-get uri))
       (define-public (set-uri (new (string-utf8 100))) (ok (var-set uri new)))`,
    );
    const changed = setUri('a:unseen', { on: 'older' });
    const deployed = tokenSource().replace(' none)', ' (some (contract-call? .older get-uri)))');
    const taken = tokenSource(
      undefined,
      '(define-public (take) (ok (var-set uri (some (contract-call? .older get-uri)))))',
    );
    expect(await uriAfter([[older], [changed], [token(deployed)]])).toMatchObject({
      failure: { code: 'calls-not-recorded' },
    });
    await emptyIndex(store);
    expect(await uriAfter([[older], [changed], [token(taken)]])).not.toHaveProperty('failure');
    await apply(store, [at(3, [call('take', [])])]);
    await evaluate();
    expect(await readingOf()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
  });

  test('error: replay-limit', async () => {
    const blocks = [[token()], [setUri('a:1')], [setUri('a:2')], [setUri('a:3')]];
    expect(await uriAfter(blocks, { maxCalls: 2 })).toMatchObject({
      value: 'a:2',
      height: 2,
      calls: 2,
      failure: { code: 'replay-limit', message: expect.stringContaining('height 3') },
    });
  });

  test('error: a call that never ends costs what it changes, and the value before it is answered', async () => {
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
    // The last of its attempts has eight times as long.
    await store.updateTable('job').set({ attempts: 3 }).execute();
    await evaluate({ vmTimeoutMs: 400 });
    expect(await readingOf()).toMatchObject({ value: 'a:1', height: 1, failure: { code: 'replay-diverged' } });
  }, 60_000);

  test('behavior: an older contract is followed from when a token reads it; what is not written stays', async () => {
    const older = contract(
      'older',
      `(define-data-var name (string-ascii 20) "Older")
       (define-data-var symbol (string-ascii 20) "OLD")
       (define-read-only (get-name) (var-get name))
       (define-read-only (get-symbol) (var-get symbol))
       (define-public (set-name (new (string-ascii 20))) (ok (var-set name new)))`,
    );
    const reader = tokenSource()
      .replace('(ok "Coin")', '(ok (contract-call? .older get-name))')
      .replace('(ok "C")', '(ok (contract-call? .older get-symbol))');
    const setName = (name: string) => call('set-name', [Cl.stringAscii(name)], { on: 'older' });
    await apply(store, [at(0, [older]), at(1, [setName('Unseen')]), at(2, [token(reader)]), at(3, [setName('Seen')])]);
    await evaluate();
    expect(await readingOf('get-name')).toMatchObject({ value: 'Seen', failure: { code: 'calls-not-recorded' } });
    expect(await readingOf('get-symbol')).toEqual({
      getter: 'get-symbol',
      source: 'vm',
      value: 'OLD',
      height: 2,
      calls: 0,
    });
  });

  test('behavior: a token on which the VM crashes does not cost the others of its session one each', async () => {
    // The VM brings this contract itself, and panics at a second one.
    const crashing = unsignedDeploy('SP000000000000000000002Q6VF78.bns', tokenSource(), 0, TOKEN_INTERFACE);
    const others = Array.from({ length: 15 }, (_, index) =>
      deployJson(`token-${index}`, tokenSource(), { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: index }),
    );
    await apply(store, [at(0, [{ ...crashing }, ...others])]);
    const posted = vi.spyOn(Worker.prototype, 'postMessage');
    await evaluate();
    expect(posted.mock.calls.length).toBeLessThan(others.length);
    posted.mockRestore();
    const readings = await store.selectFrom('reading').select('value').where('getter', '=', 'get-name').execute();
    expect(readings).toEqual(others.map(() => ({ value: 'Coin' })));
    const failed = await store.selectFrom('token').select('failure_code').where('state', '=', 'error').execute();
    expect(failed).toEqual([{ failure_code: 'vm-crash' }]);
  }, 120_000);

  test('behavior: very many calls of one token', async () => {
    await apply(store, [at(0, [token()])]);
    const COUNT = 2_000;
    // Signing that many would take longer than replaying them.
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
});
