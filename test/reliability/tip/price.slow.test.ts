// Checks limits on the number of calls to replay and store: tokens that read the same registry share its replay, and
// only some calls of a busy contract are stored.
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { REGISTRY, token } from './contracts.ts';
import { formatJudged } from './judge-values.ts';
import { call, deploy, type Step } from './program.ts';
import { runWorld } from './world.ts';

const TOKENS = 8;
const CALLS = 60;
/** The maximum number of replays of a call. If the first replay differs from the chain, a second one follows. */
const ATTEMPTS = 2;
const MAX_CALLS = 30;

const setting = (at: number, more: Partial<Step> = {}) => ({ ...call(`reg set-val "value ${at}"`), ...more });
const SHARED: readonly Step[] = [
  deploy('reg', REGISTRY),
  ...Array.from({ length: TOKENS }, (_, at) => deploy(`tok${at}`, token({ name: '(contract-call? .reg get-val)' }))),
  ...Array.from({ length: CALLS }, (_, at) => setting(at)),
];

/** Counts the calls posted to the VM's threads. Returns a function that returns the count so far. */
function countReplayed(): () => number {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  return () => posted.mock.calls.reduce((sum, [message]) => sum + countCalls(message), 0);
}

function countCalls(message: unknown): number {
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return 0;
  const self = 'functionName' in message && 'senderAddress' in message ? 1 : 0;
  return Object.values(message).reduce((sum: number, part) => sum + countCalls(part), self);
}

describe('cost of values at the tip', () => {
  afterEach(() => vi.restoreAllMocks());

  test('replays the calls of a registry once for all tokens that read it', async () => {
    const replayed = countReplayed();
    const { judged } = await runWorld([{ name: 'shared', steps: SHARED }]);
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(formatJudged)).toEqual([]);
    expect(replayed()).toBeGreaterThanOrEqual(CALLS);
    expect(replayed()).toBeLessThanOrEqual(CALLS * ATTEMPTS);
  });

  test('does not replay the calls of every token after another call', async () => {
    const replayed = countReplayed();
    const steps = [...SHARED, setting(CALLS, { run: 1 })];
    const { judged } = await runWorld([{ name: 'shared', steps }], { runs: [{}, {}] });
    expect(judged.filter(({ verdict }) => verdict === 'wrong').map(formatJudged)).toEqual([]);
    expect(replayed()).toBeLessThanOrEqual((2 * CALLS + 1) * ATTEMPTS);
  });

  test('stores at most the replayed calls of a busy contract that a getter reads', async () => {
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
