// Tests limits of code: functions with too much code to follow, contracts with too much code for the VM, and calls with
// too many bytes of arguments.
import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { ChainReader } from '#indexer/replay/chain-reader.ts';
import { planInterface } from '#indexer/replay/plan-interface.ts';
import { apply, at, mustRead } from '../../support/chain-index.ts';
import { call } from '../../support/transactions.ts';
import { contract, replayedToken, setUri, TOKEN, token, tokenSource } from './replayed-token.ts';

const { store, evaluate, readingOf, uriAfter } = await replayedToken();

const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ');
const LIMIT = { code: 'replay-limit' };
const TOO_MUCH = { code: 'too-much-code' };

/** Returns a contract whose function `f` has more code than is followed, and runs `last`. */
const large = (last: string) =>
  contract('large', `(define-public (f (x <t>)) (begin ${repeat(22_001, (at) => `(map-get? m${at} u1)`)} ${last}))`);

test.each([
  ['the token', '(contract-call? .token set-uri u"a:1")', LIMIT],
  ['a contract that is passed', '(contract-call? x set-uri u"a:1")', LIMIT],
  ['an asset of the token', '(contract-call? .token ping)', undefined],
])('gives a value as unproven if code that is not followed may write %s', async (_, last, failure) => {
  const passed = call('f', [Cl.contractPrincipal(TOKEN.split('.')[0] as string, 'token')], { on: 'large' });
  const read = await uriAfter([[token()], [setUri('a:0')], [large(last)], [passed]]);
  expect(read).toMatchObject({ value: 'a:0', calls: 1 });
  expect(read?.failure?.code).toBe(failure?.code);
  expect(await readingOf('get-name')).not.toHaveProperty('failure');
});

test('evaluates a token again if a new call may write it with code that is not followed', async () => {
  await uriAfter([[token()], [setUri('a:0')], [large('(contract-call? .token set-uri u"a:1")')]]);
  expect(await readingOf()).not.toHaveProperty('failure');
  await apply(store, [at(3, [call('f', [], { on: 'large' })])]);
  expect([await evaluate(), (await readingOf())?.failure?.code]).toEqual([1, LIMIT.code]);
});

test('reads code that is not followed again when a contract arrives that it calls', async () => {
  const late = contract('late', '(define-public (go) (contract-call? .token set-uri u"a:1"))');
  const later = [at(2, [large('(contract-call? .late go)')]), at(3, [call('f', [], { on: 'large' })])];
  await apply(store, [at(0, [token()]), ...later]);
  await evaluate();
  await apply(store, [at(1, [late])]);
  await evaluate();
  expect(await readingOf()).toMatchObject({ failure: LIMIT });
  expect(await readingOf('get-name')).not.toHaveProperty('failure');
});

test('follows code that writes very many variables of a contract', async () => {
  const source = tokenSource(
    undefined,
    `${repeat(70, (at) => `(define-data-var v${at} uint u0)`)}
     (define-public (set-all (new (string-utf8 100))) (begin ${repeat(70, (at) => `(var-set v${at} u1)`)}
       (ok (var-set uri (some new)))))`,
  );
  const setAll = (uri: string) => call('set-all', [Cl.stringUtf8(uri)]);
  expect(await uriAfter([[token(source)], [setAll('a:1')]])).toMatchObject({ value: 'a:1', calls: 1 });
  await apply(store, [at(2, [setAll('a:2')])]);
  expect([await evaluate(), (await readingOf())?.value]).toEqual([1, 'a:2']);
});

test('follows at most 200 variables of a token', async () => {
  const many = contract(
    'many',
    `${repeat(300, (at) => `(define-data-var v${at} uint u0)`)} (define-read-only (sum) (+ ${repeat(300, (at) => `(var-get v${at})`)}))
     (define-public (set-all) (ok (begin ${repeat(300, (at) => `(var-set v${at} u1)`)})))`,
  );
  const source = tokenSource().replace('(ok u6)', '(ok (contract-call? .many sum))');
  await apply(store, [
    at(0, [many]),
    at(1, [token(source)]),
    at(2, [call('set-all', [], { on: 'many' }), setUri('a:1')]),
  ]);
  await evaluate();
  expect(await readingOf('get-decimals')).toMatchObject({ value: '300', failure: LIMIT });
  expect(await readingOf()).not.toHaveProperty('failure');
  expect(await store.selectFrom('evaluation_variable').selectAll().execute()).toHaveLength(202);
});

test('does not call a getter with too much code', async () => {
  const reads = repeat(2_001, (at) => `(default-to u0 (map-get? m${at} u1))`);
  const lib = contract(
    'lib',
    `${repeat(2_001, (at) => `(define-map m${at} uint uint)`)} (define-read-only (sum) (+ ${reads}))`,
  );
  const source = tokenSource().replace('(ok u6)', '(ok (contract-call? .lib sum))');
  await apply(store, [at(0, [lib]), at(1, [token(source)])]);
  await evaluate();
  expect(await readingOf('get-decimals')).toMatchObject({ failure: TOO_MUCH });
  expect(await readingOf('get-decimals')).not.toHaveProperty('value');
  expect(await readingOf('get-name')).toMatchObject({ value: 'Coin' });
});

test('refuses a contract with too much code for the VM', async () => {
  const source = tokenSource(undefined, `(define-constant l (list ${'u1 '.repeat(176_000)}))`);
  await apply(store, [at(0, [token(source)])]);
  await evaluate();
  const states = store.selectFrom('token').select(['state', 'failure_code as code']);
  expect(await states.execute()).toEqual([{ state: 'error', ...TOO_MUCH }]);
  const plan = await planInterface(new ChainReader(store), await mustRead(store, TOKEN));
  expect(plan?.refusal).toMatchObject(TOO_MUCH);
});

test('refuses a token that refers to a contract with very many names', async () => {
  const names = contract('names', `(define-private (zz) (list ${repeat(1_001, (at) => `.c${at}`)}))`);
  const source = tokenSource(undefined, '(define-constant named .names)');
  await apply(store, [at(0, [names]), at(1, [token(source)])]);
  await evaluate();
  expect(await store.selectFrom('token').select('failure_code as code').execute()).toEqual([TOO_MUCH]);
  expect(await store.selectFrom('evaluation_input').selectAll().execute()).toHaveLength(1_000);
});

test('replays calls up to a number of bytes of arguments', async () => {
  const source = tokenSource(
    undefined,
    '(define-public (set-with (new (string-utf8 100)) (b (buff 1000000))) (ok (var-set uri (some new))))',
  );
  const bytes = Cl.buffer(new Uint8Array(900_000));
  const calls = Array.from({ length: 18 }, (_, at) => [call('set-with', [Cl.stringUtf8(`a:${at}`), bytes])]);
  expect(await uriAfter([[token(source)], ...calls])).toMatchObject({ value: 'a:16', calls: 17, failure: LIMIT });
});
