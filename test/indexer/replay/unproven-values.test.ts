import { Cl, type ClarityValue } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { apply, at } from '../../support/chain-index.ts';
import { emptyIndex } from '../../support/index-of-archive.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { ADDRESS, call, deployJson } from '../../support/transactions.ts';
import { NAMED, PROVEN, replayedToken, setName, setUri, token, tokenSource, uriHolder } from './replayed-token.ts';

const { store, evaluate, readingOf, uriAfter } = await replayedToken();

test('reports replay-diverged for a result that differs from the chain, and serves the value before it', async () => {
  const odd = setUri('a:2', { result: Cl.ok(Cl.uint(7)) });
  expect(await uriAfter([[token()], [setUri('a:1')], [odd], [setUri('a:3')]])).toMatchObject({
    value: 'a:1',
    height: 1,
    failure: { code: 'replay-diverged' },
  });
});

test('reports replay-diverged for a call before the deploy of a token that reads its variable', async () => {
  const reader = tokenSource().replace('(ok "Coin")', '(ok (contract-call? .older get-name))');
  const first = deployJson('first', reader, { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: 2 });
  await apply(store, [
    at(0, [NAMED, first]),
    at(1, [setName('Proven')]),
    at(2, [setName('Odd', { result: Cl.ok(Cl.uint(7)) })]),
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

/**
 * Returns the source of a token. Its function `set-base` writes the variable `base`. If `guard` is true, `publish`
 * copies `base` to the URI.
 */
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

test('reports replay-diverged for a call whose written variable a later call copies', async () => {
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

test('proves values after a diverged call that changed only variables of guards', async () => {
  const source = published('(is-eq tx-sender (var-get owner))');
  const odd = call('set-owner', [Cl.standardPrincipal(ADDRESS)], { result: Cl.ok(Cl.uint(7)) });
  const blocks = [[token(source)], [odd], [setBase('a:1')], [call('publish', [])], [setUri('a:2')]];
  expect(await uriAfter(blocks)).toEqual({ ...PROVEN, value: 'a:2', height: 4, calls: 2 });
});

test('replays calls of an older contract for a later deploy or call of the token', async () => {
  const older = uriHolder('older');
  const changed = setUri('a:changed', { on: 'older' });
  const deployed = tokenSource().replace(' none)', ' (some (contract-call? .older get-uri)))');
  const taken = tokenSource(
    undefined,
    '(define-public (take) (ok (var-set uri (some (contract-call? .older get-uri)))))',
  );
  expect(await uriAfter([[older], [changed], [token(deployed)]])).toMatchObject({ value: 'a:changed' });
  await emptyIndex(store);
  expect(await uriAfter([[older], [changed], [token(taken)]])).not.toHaveProperty('failure');
  await apply(store, [at(3, [call('take', [])])]);
  await evaluate();
  expect(await readingOf()).toEqual({ ...PROVEN, value: 'a:changed', height: 3, calls: 1 });
});
