import { expect, test } from 'vitest';
import { endAttempt, FOR_EVER } from '#indexer/runner/end-attempt.ts';
import { type FailureCode, fail } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import { insertJobs, readDueJobs } from '#store/work/jobs.ts';
import { emptyIndex, indexOfArchive } from '../../support/index-of-archive.ts';

const { store } = await indexOfArchive();

async function queueOne(): Promise<void> {
  await emptyIndex(store);
  await store.transaction().execute((transaction) => insertJobs(transaction, [{ kind: 'list-tokens', offset: 0 }]));
}

const jobOf = async (): Promise<Job | undefined> =>
  (await readDueJobs(store, 'list-tokens', Number.MAX_SAFE_INTEGER, 1))[0];

/**
 * Queues a job and lets its attempts fail with these codes, in order. Returns the job, if it is still queued, and its
 * delay.
 */
async function failWith(codes: readonly FailureCode[], limits = {}): Promise<{ job: Job | undefined; waitMs: number }> {
  await queueOne();
  for (const code of codes) {
    const job = await jobOf();
    if (job === undefined) break;
    await store.transaction().execute((transaction) => endAttempt(transaction, job, fail(code), limits));
  }
  const row = await store.selectFrom('job').select('next_attempt_at').executeTakeFirst();
  return { job: await jobOf(), waitMs: (row?.next_attempt_at ?? 0) - Date.now() };
}

test('default', async () => {
  await queueOne();
  const job = (await jobOf()) as Job;
  await store.transaction().execute((transaction) => endAttempt(transaction, job, undefined));
  expect(await jobOf()).toBeUndefined();
});

test('ends a job after a permanent failure', async () => {
  expect((await failWith(['http-404'])).job).toBeUndefined();
});

test.each([
  [1, 1],
  [4, 3.4],
  [10, 38],
  [11, 60],
  [13, 960],
])('after %i attempts, waits about %d s', async (attempts, seconds) => {
  const { job, waitMs } = await failWith(Array.from({ length: attempts }, () => 'http-503' as const));
  expect(job).toMatchObject({ attempts, lastFailure: 'http-503', repeats: attempts });
  expect(waitMs).toBeGreaterThan(seconds * 500 - 500);
  expect(waitMs).toBeLessThanOrEqual(seconds * 1_600);
});

test('ends a job after sixteen attempts, unless an operator requested it', async () => {
  const codes = Array.from({ length: 20 }, () => 'timeout' as const);
  expect((await failWith(codes)).job).toBeUndefined();
  expect((await failWith(codes, FOR_EVER)).job).toMatchObject({ attempts: 20 });
});

test('accepts an HTML page as final after four consecutive failures', async () => {
  expect((await failWith(['html-page', 'html-page', 'html-page'])).job).toMatchObject({ repeats: 3 });
  expect((await failWith(['html-page', 'html-page', 'timeout', 'html-page', 'html-page'])).job).toBeDefined();
  expect((await failWith(['html-page', 'html-page', 'html-page', 'html-page'])).job).toBeUndefined();
});

test('does not count attempts at a paused host', async () => {
  expect((await failWith(['host-held', 'source-down'])).job).toMatchObject({ attempts: 0 });
});

test('waits about a minute after an unknown host name', async () => {
  expect((await failWith(['host-not-found'])).waitMs).toBeGreaterThan(29_000);
});
