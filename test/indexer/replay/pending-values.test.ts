// Tests that a token waits for its evaluation as soon as a batch adds something that its values depend on, so that a run
// without the VM, or a stopped run, leaves no old value without a reason.
import { expect, test } from 'vitest';
import { countJobs } from '#store/work/jobs.ts';
import { apply, at } from '../../support/chain-index.ts';
import { contract, replayedToken, setUri, token, tokenSource, uriHolder } from './replayed-token.ts';

const { store, evaluate, readingOf } = await replayedToken();
const waiting = async () => (await countJobs(store))['evaluate-token'];

const OPEN = tokenSource('true');
const READS_HOLDER = tokenSource('true').replace('(ok (var-get uri))', '(ok (some (contract-call? .holder get-uri)))');

test.each([
  ['a call', [token(OPEN)], [setUri('a:later')]],
  ['the top level of a deploy', [token(OPEN)], [contract('later', '(contract-call? .token set-uri u"a:later")', 7)]],
  ['a call of another contract', [uriHolder('holder'), token(READS_HOLDER)], [setUri('a:later', { on: 'holder' })]],
])('queues a token whose values %s may change, without an evaluation', async (_, before, after) => {
  await apply(store, [at(0, before)]);
  await evaluate();
  expect(await waiting()).toBe(0);
  await apply(store, [at(1, after)]);
  expect(await waiting()).toBe(1);
  await evaluate();
  expect(await readingOf()).toMatchObject({ value: 'a:later' });
});

test('queues a token whose change a fork takes back', async () => {
  await apply(store, [at(0, [token(OPEN)]), at(1, [setUri('a:later')])]);
  await evaluate();
  expect(await readingOf()).toMatchObject({ value: 'a:later' });
  await apply(store, [at(1, [], { id: 'fork 1' }), at(2, [], { id: 'fork 2', parent: 'fork 1' })]);
  expect(await waiting()).toBe(1);
  await evaluate();
  expect((await readingOf())?.value).toBeUndefined();
});
