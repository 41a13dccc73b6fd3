import { Cl } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { runIndex } from '#indexer/run-index.ts';
import { newIndex, writeArchive } from '../../support/archives.ts';
import { indexOptions } from '../../support/index-options.ts';
import { TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { blockLine, deployJson, type Json } from '../../support/observer-lines.ts';
import { call } from '../../support/vm-index.ts';
import { contract, readingOf, setUri, token, tokenSource, uriHolder } from '../replay/replayed-token.ts';

const at = (height: number, transactions: readonly Json[]) =>
  blockLine({ id: height, parent: height - 1, height, transactions });

const older = uriHolder('older');
const reader = token(tokenSource().replace(' none)', ' (some (contract-call? .older get-uri)))'));
/** The URI of `older` changes before the token copies it. */
const CHAIN = at(0, [older]) + at(1, [setUri('a:1', { on: 'older' })]) + at(2, [reader]);

async function indexing(lines: string) {
  const store = await newIndex();
  const archives = [writeArchive(lines)];
  const run = (over: Parameters<typeof indexOptions>[0] = {}) =>
    runIndex(store, indexOptions({ vm: true, archives, ...over }));
  return { run, uri: async () => ({ failure: undefined, ...(await readingOf(store)) }), archives };
}

test('default: a call that came before anything depended on it is recorded, and its token proven', async () => {
  const { run, uri } = await indexing(CHAIN);
  expect(await run()).toMatchObject({ again: undefined });
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 1, left: 0 } });
  expect(await uri()).toMatchObject({ value: 'a:1', failure: undefined });
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 0, left: 0 }, changes: {} });
});

test('behavior: in the run that indexes the archive', async () => {
  const { run, uri } = await indexing(CHAIN);
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 1 } });
  expect(await uri()).toMatchObject({ failure: undefined });
});

test('behavior: what a recorded call depends on is read again in turn', async () => {
  const first = uriHolder('first');
  const second = uriHolder('second', '(define-public (take) (ok (var-set uri (contract-call? .first get-uri))))', 2);
  const third = token(tokenSource().replace(' none)', ' (some (contract-call? .second get-uri)))'));
  const take = call('take', [], { on: 'second' });
  const { run, uri } = await indexing(
    at(0, [first, second]) + at(1, [setUri('a:1', { on: 'first' }), take]) + at(2, [third]),
  );
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 2, left: 0 } });
  expect(await uri()).toMatchObject({ value: 'a:1', failure: undefined });
});

test('behavior: calls beyond a lower limit are recorded, and the reason goes', async () => {
  const { run, uri } = await indexing(
    at(0, [token()]) + [1, 2, 3, 4].map((height) => at(height, [setUri(`a:${height}`)])).join(''),
  );
  await run({ maxCalls: 2 });
  await run({ maxCalls: 3, readAgain: true });
  expect(await uri()).toMatchObject({ value: 'a:3', failure: { code: 'replay-limit' } });
  await run({ maxCalls: 4 });
  expect(await run({ maxCalls: 4, readAgain: true })).toMatchObject({ again: { calls: 1, left: 0 } });
  expect(await uri()).toMatchObject({ value: 'a:4', calls: 4, failure: undefined });
});

test('behavior: a call of which more is watched later counts once', async () => {
  const both = contract(
    'both',
    `(define-data-var name (string-ascii 20) "Both")
     (define-read-only (get-name) (var-get name))
     (define-public (set-both (new (string-ascii 20)))
       (begin (var-set name new) (contract-call? .older set-uri u"a:both")))`,
    2,
  );
  const named = tokenSource().replace('(ok "Coin")', '(ok (contract-call? .both get-name))');
  const first = deployJson('first', named, { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: 3 });
  const set = call('set-both', [Cl.stringAscii('New')], { on: 'both' });
  const { run, uri } = await indexing(at(0, [older, both]) + at(1, [first]) + at(2, [set]) + at(3, [reader]));
  await run();
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 0, left: 0 } });
  expect(await uri()).toMatchObject({ value: 'a:both', failure: undefined });
});

test('error: calls through a contract that too many call stay unrecorded, and the reason too', async () => {
  const CALLERS = 51;
  const relay = '(define-public (relay) (contract-call? .token set-uri u"a:relayed"))';
  const callers = Array.from({ length: CALLERS }, (_, index) =>
    contract(`caller${index}`, '(define-public (go) (contract-call? .between relay))', 10 + index),
  );
  const last = call('go', [], { on: `caller${CALLERS - 1}` });
  const { run, uri } = await indexing(
    at(0, [token(tokenSource('true'))]) + at(1, [contract('between', relay)]) + at(2, callers) + at(3, [last]),
  );
  expect(await run({ readAgain: true })).toMatchObject({ again: { left: 1 } });
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
});

test('error: blocks that no archive has which is read again: the reason stays', async () => {
  const { run, uri, archives } = await indexing(CHAIN);
  await run({ archives: [writeArchive(CHAIN + at(3, []), 'longer.tsv')] });
  expect(await run({ readAgain: true })).toMatchObject({ again: { unread: 'other-archives' } });
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
  const all = [...archives, writeArchive(at(3, []), 'rest.tsv')];
  expect(await run({ archives: all, readAgain: true })).toMatchObject({ again: { left: 0 } });
  expect(await uri()).toMatchObject({ failure: undefined });
});

test('error: missing blocks: nothing is read again', async () => {
  const { run, uri } = await indexing(CHAIN + at(4, []));
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 0, unread: 'blocks-missing' } });
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
});

test('error: an interrupted reading settles nothing, and the next one does', async () => {
  const { run, uri } = await indexing(CHAIN);
  await run();
  const abort = new AbortController();
  const reporter = { info() {}, warn() {}, progress: () => abort.abort() };
  expect(await run({ readAgain: true, reporter, signal: abort.signal })).toMatchObject({
    again: { calls: 1, unread: 'interrupted' },
  });
  expect(await uri()).toMatchObject({ failure: { code: 'calls-not-recorded' } });
  expect(await run({ readAgain: true })).toMatchObject({ again: { calls: 0, left: 0 } });
  expect(await uri()).toMatchObject({ failure: undefined });
});
