// Tests that no value depends on state that a session of the VM invents, such as balances of STX and blocks.
import { expect, test } from 'vitest';
import { CHAIN_READS } from '#clarity/builtins.ts';
import { queueOutdated } from '#indexer/jobs/evaluate-tokens.ts';
import { VM_VERSION } from '#vm/vm-version.ts';
import { apply, at } from '../../support/chain-index.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { tokenSource } from '../../support/token-source.ts';
import { call, deployJson } from '../../support/transactions.ts';
import { readingOf, replayedToken } from './replayed-token.ts';

const { store, evaluate } = await replayedToken();
const HASH = `0x${'01'.repeat(32)}`;

/** A condition that uses the name, with a Clarity version and a burn height that have it. */
const CONDITIONS: Readonly<Record<string, readonly [condition: string, clarityVersion: number, burnHeight: number]>> = {
  'stx-get-balance': ['(> (stx-get-balance tx-sender) u5)', 2, 800_000],
  'stx-account': ['(> (get unlocked (stx-account tx-sender)) u5)', 2, 800_000],
  'stx-liquid-supply': ['(> stx-liquid-supply u5)', 2, 800_000],
  'at-block': [`(at-block ${HASH} true)`, 2, 800_000],
  'get-block-info?': ['(is-some (get-block-info? time u1))', 2, 800_000],
  'get-burn-block-info?': ['(is-some (get-burn-block-info? header-hash u1))', 2, 800_000],
  'get-stacks-block-info?': ['(is-some (get-stacks-block-info? time u1))', 3, 900_000],
  'get-tenure-info?': ['(is-some (get-tenure-info? time u1))', 3, 900_000],
  'stacks-block-time': ['(> stacks-block-time u5)', 4, 930_000],
  'contract-hash?': ['(is-ok (contract-hash? tx-sender))', 4, 930_000],
  'tx-sponsor?': ['(is-some tx-sponsor?)', 2, 800_000],
  'stacks-block-height': ['(> stacks-block-height u1)', 3, 900_000],
  'block-height': ['(> block-height u1)', 2, 800_000],
  'tenure-height': ['(> tenure-height u1)', 3, 900_000],
  'burn-block-height': ['(> burn-block-height u1)', 2, 800_000],
};

test.each([...CHAIN_READS])('leaves out a name and a supply with %s, unless it is a height', async (name, mark) => {
  const [condition, clarityVersion, burnHeight] = CONDITIONS[name] as (typeof CONDITIONS)[string];
  const source = tokenSource({
    'get-name': `(ok (if ${condition} "yes" "no"))`,
    'get-total-supply': `(ok (if ${condition} u1 u2))`,
  });
  const token = deployJson('token', source, { clarityVersion, interface: TOKEN_INTERFACE });
  await apply(store, [at(0, [token], { burnHeight }), at(1, [], { burnHeight: burnHeight + 1 })]);
  await evaluate();
  const isHeight = mark !== '$stx' && mark !== '$chain';
  const left = { failure: { code: isHeight ? 'height-not-known' : 'state-not-replayed' } };
  expect(await readingOf(store, 'get-name')).toMatchObject(left);
  expect((await readingOf(store, 'get-name'))?.value === undefined).toBe(!isHeight);
  const supply = await readingOf(store, 'get-total-supply');
  expect(supply).toMatchObject(
    isHeight ? { value: mark === '$burn' ? '1' : '2', failure: { code: 'supply-of-deploy' } } : left,
  );
  if (!isHeight) expect(supply?.value).toBeUndefined();
});

test('leaves out a value that a call decided by a balance of STX', async () => {
  const source = `${tokenSource({ 'get-name': '(ok (var-get name))' })}
    (define-data-var name (string-ascii 9) "none")
    (define-public (judge) (ok (var-set name (if (> (stx-get-balance tx-sender) u5) "rich" "poor"))))`;
  await apply(store, [
    at(0, [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })]),
    at(1, [call('judge', [])]),
  ]);
  await evaluate();
  const reading = await readingOf(store, 'get-name');
  expect(reading).toMatchObject({ failure: { code: 'state-not-replayed' } });
  expect(reading?.value).toBeUndefined();
});

test('evaluates a height-dependent value again when the tip moves', async () => {
  const source = tokenSource({ 'get-name': '(ok (if (> block-height u1) "late" "early"))' });
  await apply(store, [at(0, [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE })])]);
  const prepare = () => store.transaction().execute((writer) => queueOutdated(writer, VM_VERSION));
  await prepare();
  await evaluate();
  expect((await readingOf(store, 'get-name'))?.value).toBe('early');
  await apply(store, [at(1, []), at(2, [])]);
  await prepare();
  await evaluate();
  expect((await readingOf(store, 'get-name'))?.value).toBe('late');
});

test('reads the supply right after the deploy, also if it is the last step', async () => {
  const registry = '(define-data-var n uint u1) (define-read-only (get-n) (var-get n))';
  const source = tokenSource({ 'get-total-supply': '(ok (+ burn-block-height u0))' });
  await apply(store, [
    at(0, [deployJson('registry', registry, { clarityVersion: 2, interface: EMPTY_INTERFACE })], {
      burnHeight: 800_000,
    }),
    at(1, [deployJson('token', source, { clarityVersion: 2, interface: TOKEN_INTERFACE, nonce: 1 })], {
      burnHeight: 800_001,
    }),
    at(2, [], { burnHeight: 800_900 }),
  ]);
  await evaluate();
  expect((await readingOf(store, 'get-total-supply'))?.value).toBe('800000');
});
