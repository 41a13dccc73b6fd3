import { expect, test } from 'vitest';
import { Summaries } from '#indexer/replay/summaries.ts';
import { variableOf } from '#indexer/replay/transitive-effects.ts';
import { apply, at } from '../../support/chain-index.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { deployJson, idOf } from '../../support/transactions.ts';

const { store } = await indexOfArchive();
const TRAIT = '(define-trait t ((f (principal) (response bool uint)) (g () (response bool uint))))';
/** The source of a contract that calls `f` through a trait, and mentions the contract `named` without calling it. */
const CALLER = `${TRAIT}(define-public (run (x <t>)) (begin (print .named) (contract-call? x f .a)))`;
/** The source of a contract that calls the function `g` through a trait. */
const PASSED = `${TRAIT}(define-public (f (x <t>)) (contract-call? x g))`;
const setter = (name: string) => `(define-data-var v uint u0)(define-public (${name}) (ok (var-set v u1)))`;

const deploys = [
  deployJson('a', '(define-public (other) (ok true))'),
  deployJson('named', setter('g')),
  deployJson('caller', CALLER),
  deployJson('passed', PASSED),
  deployJson('given', setter('f')),
];

test.each([
  { passed: [], writes: [] },
  { passed: ['given'], writes: ['given'] },
  // `passed` calls `g` through a trait. `named`, which the caller mentions, also has `g`, so it may be called.
  { passed: ['passed'], writes: ['named'] },
  { passed: ['passed', 'given', 'unknown'], writes: ['given', 'named'] },
  { passed: ['named'], writes: [] },
  { passed: ['unknown'], writes: [] },
  // At height 2, earlier blocks are missing. `unknown` may then call every contract that the caller mentions.
  { passed: ['unknown'], height: 2, writes: ['named'] },
])('writes $writes with the arguments $passed', async ({ passed, height = 1, writes }) => {
  await apply(store, [at(height, deploys)]);
  const summaries = new Summaries(store, 'all');
  const called = { contractId: idOf('caller'), functionName: 'run' };
  const written = async () => [...(await summaries.effectsOf(called, new Set(passed.map(idOf)))).writes].sort();
  const expected = writes.map((name) => variableOf(idOf(name), 'v'));
  expect([await written(), await written()]).toEqual([expected, expected]);
});
