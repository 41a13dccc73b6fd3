import { expect, test } from 'vitest';
import { Summaries } from '#indexer/replay/summaries.ts';
import { variableOf } from '#indexer/replay/transitive-effects.ts';
import { indexOfFile } from '../../store/index-of-file.ts';
import { apply, at } from '../../support/chain-index.ts';
import { addressOf, deployJson, TEST_KEY } from '../../support/observer-lines.ts';

const store = await indexOfFile();
const id = (name: string) => `${addressOf(TEST_KEY)}.${name}`;
const TRAIT = '(define-trait t ((f (principal) (response bool uint)) (g () (response bool uint))))';
/** Calls a function on a trait, and mentions a contract that it does not call. */
const CALLER = `${TRAIT}(define-public (run (x <t>)) (begin (print .named) (contract-call? x f .a)))`;
/** Calls another function on a trait. */
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
  // The added call is also bound to the contract that was bound before.
  { passed: ['passed'], writes: ['named'] },
  { passed: ['passed', 'given', 'unknown'], writes: ['given', 'named'] },
  { passed: ['named'], writes: [] },
  { passed: ['unknown'], writes: [] },
  // If blocks are missing, unknown code may call the contracts that its caller mentions.
  { passed: ['unknown'], height: 2, writes: ['named'] },
])('behavior: writes $writes with the arguments $passed', async ({ passed, height = 1, writes }) => {
  await apply(store, [at(height, deploys)]);
  const summaries = new Summaries('all');
  const called = { contractId: id('caller'), functionName: 'run' };
  const written = async () => [...(await summaries.effectsOf(store, called, passed.map(id))).writes].sort();
  const expected = writes.map((name) => variableOf(id(name), 'v'));
  expect([await written(), await written()]).toEqual([expected, expected]);
});
