// What values at the tip cost, in calls that are replayed and stored: tokens that share a registry share its replay,
// and a getter that reads a busy contract does not have all calls of it stored.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { REGISTRY, token } from './contracts.ts';
import { formatJudged } from './judge-values.ts';
import { call, deploy, type Step } from './program.ts';
import { runWorld } from './world.ts';

const TOKENS = 8;
const CALLS = 60;
/** A second attempt, where the first differs from the chain, and a little more. */
const ATTEMPTS = 2;
const MAX_CALLS = 30;

const setting = (at: number, more: Partial<Step> = {}) => ({ ...call(`reg set-val "value ${at}"`), ...more });
const SHARED: readonly Step[] = [
  deploy('reg', REGISTRY),
  ...Array.from({ length: TOKENS }, (_, at) => deploy(`tok${at}`, token({ name: '(contract-call? .reg get-val)' }))),
  ...Array.from({ length: CALLS }, (_, at) => setting(at)),
];

/** How many calls the threads of the VM are given, in whatever form. */
function countReplayed(): () => number {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  return () => posted.mock.calls.reduce((sum, [message]) => sum + countCalls(message), 0);
}

function countCalls(message: unknown): number {
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return 0;
  const self = 'functionName' in message && 'senderAddress' in message ? 1 : 0;
  return Object.values(message).reduce((sum: number, part) => sum + countCalls(part), self);
}

describe('the price of values at the tip', () => {
  afterEach(() => vi.restoreAllMocks());

  test('behavior: tokens over one registry share the replay of its calls', async () => {
    const replayed = countReplayed();
    const { judged } = await runWorld([{ name: 'shared', steps: SHARED }]);
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(formatJudged)).toEqual([]);
    expect(replayed()).toBeGreaterThanOrEqual(CALLS);
    expect(replayed()).toBeLessThanOrEqual(CALLS * ATTEMPTS);
  });

  test('behavior: one more call does not replay those of every token', async () => {
    const replayed = countReplayed();
    const steps = [...SHARED, setting(CALLS, { run: 1 })];
    const { judged } = await runWorld([{ name: 'shared', steps }], { runs: [{}, {}] });
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(formatJudged)).toEqual([]);
    expect(replayed()).toBeLessThanOrEqual((2 * CALLS + 1) * ATTEMPTS);
  });

  test('behavior: of a busy contract that a getter reads, no more calls are stored than are replayed', async () => {
    const exchange = `(define-data-var price uint u1) (define-map held principal uint)
(define-read-only (get-price) (var-get price))
(define-public (swap (amount uint)) (begin (map-set held tx-sender amount) (var-set price (+ u1 (var-get price)))
  (ok amount)))`;
    const steps = [
      deploy('exchange', exchange),
      deploy('tok', token({ decimals: '(mod (contract-call? .exchange get-price) u10)' })),
      ...Array.from({ length: CALLS }, (_, at) => call(`exchange swap u${at}`)),
    ];
    const { judged, site } = await runWorld([{ name: 'busy', steps }], { runs: [{ maxCalls: MAX_CALLS }] });
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(formatJudged)).toEqual([]);
    expect(site.recordedCalls).toBeLessThanOrEqual(MAX_CALLS * ATTEMPTS);
  });
});
