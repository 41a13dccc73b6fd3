import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endAttempt } from '#indexer/runner/end-attempt.ts';
import { openJobRunner } from '#indexer/runner/job-runner.ts';
import { type JobWorker, type Outcome, oneByOne } from '#indexer/runner/job-worker.ts';
import { fail, stop } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { Progress } from '#model/reporter.ts';
import { countJobs, deleteJobs, failJob, insertJobs } from '#store/work/jobs.ts';
import { indexOfArchive } from '../../support/index-of-archive.ts';
import { silentReporter } from '../../support/silent-reporter.ts';

const { store } = await indexOfArchive();
const ID = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7';

type ContractWorker = JobWorker<'fetch-contract', unknown>;

/** Returns a worker for contracts. It completes every job, unless `over` replaces `work` or `save`. */
function contractWorker(over: Partial<ContractWorker> = {}): ContractWorker {
  return {
    kind: 'fetch-contract',
    task: 'contracts',
    concurrency: 4,
    work: async () => undefined,
    save: oneByOne(done),
    ...over,
  };
}

const done = async (transaction: Parameters<ContractWorker['save']>[0], job: Job): Promise<Outcome> => {
  await deleteJobs(transaction, [job]);
  return 'done';
};

const contracts = (...names: string[]) =>
  names.map((name) => ({ kind: 'fetch-contract' as const, contractId: `${ID}.${name}` }));
const nameOf = ({ contractId }: Job<'fetch-contract'>) => contractId.slice(ID.length + 1);
const queue = (...names: string[]) =>
  store.transaction().execute((transaction) => insertJobs(transaction, contracts(...names)));
const left = async () => (await countJobs(store))['fetch-contract'];

function runner({ patienceMs = 0, signal = new AbortController().signal, reporter = silentReporter } = {}) {
  return openJobRunner(store, { concurrency: 4, patienceMs, signal, reporter });
}

test('default', async () => {
  await queue('a', 'b', 'c');
  expect(await runner().run([contractWorker()])).toEqual({
    'fetch-contract': { done: 3, failed: 0, offline: 0, bugs: 0 },
  });
  expect(await left()).toBe(0);
});

test('limits concurrent jobs of each kind, and runs kinds in parallel', async () => {
  await queue(...Array.from({ length: 20 }, (_, index) => `c${index}`));
  await store.transaction().execute((transaction) => insertJobs(transaction, [{ kind: 'list-tokens', offset: 0 }]));
  let atOnce = 0;
  let maxAtOnce = 0;
  let listed = false;
  const work = async () => {
    maxAtOnce = Math.max(maxAtOnce, ++atOnce);
    while (!listed) await delay(1);
    atOnce--;
  };
  const list: JobWorker<'list-tokens', unknown> = {
    kind: 'list-tokens',
    task: 'pages',
    concurrency: 1,
    work: async () => {
      await delay(20);
      listed = true;
    },
    save: oneByOne(done),
  };
  await runner().run([contractWorker({ work, concurrency: 3 }), list]);
  expect(maxAtOnce).toBe(3);
  expect(await left()).toBe(0);
});

test('reports failed attempts and kinds with jobs in flight', async () => {
  await queue('a');
  await store.transaction().execute((transaction) => insertJobs(transaction, [{ kind: 'list-tokens', offset: 0 }]));
  const reports: Progress[] = [];
  const isReported = Promise.withResolvers<void>();
  const reporter = {
    ...silentReporter,
    progress: (progress: Progress) => {
      reports.push(progress);
      if (progress.task === 'pages') isReported.resolve();
    },
  };
  const list: JobWorker<'list-tokens', unknown> = {
    kind: 'list-tokens',
    task: 'pages',
    concurrency: 1,
    work: () => isReported.promise,
    save: oneByOne(async (transaction, job) => {
      await deleteJobs(transaction, [job]);
      return 'done';
    }),
  };
  const save = oneByOne(async (transaction: Parameters<ContractWorker['save']>[0], job: Job): Promise<Outcome> => {
    await deleteJobs(transaction, [job]);
    return 'failed';
  });
  await runner({ reporter }).run([contractWorker({ save }), list]);
  expect(reports.slice(0, 2)).toEqual([
    { task: 'contracts', done: 0, total: 0, unit: 'items', detail: '1 failed attempt' },
    { task: 'pages', done: 0, total: 1, unit: 'items' },
  ]);
});

test('starts jobs with large results only as earlier results are stored', async () => {
  await queue(...Array.from({ length: 30 }, (_, index) => `c${index}`));
  let held = 0;
  let maxHeld = 0;
  const work = async () => {
    maxHeld = Math.max(maxHeld, ++held);
  };
  const save: ContractWorker['save'] = async (transaction, finished) => {
    const outcomes = await oneByOne(done)(transaction, finished);
    held -= finished.length;
    return outcomes;
  };
  await runner().run([contractWorker({ work, save, bytesOf: () => 2_000_000 })]);
  // Two results of 2 MB may wait in memory, and four jobs may be in flight.
  expect(maxHeld).toBeLessThanOrEqual(2 + 4);
  expect(await left()).toBe(0);
});

test('works on jobs in the same run that saving a result queues', async () => {
  await queue('a');
  const save = oneByOne<'fetch-contract', unknown>(async (transaction, job) => {
    const name = nameOf(job);
    await deleteJobs(transaction, [job]);
    if (name.length < 5) await insertJobs(transaction, contracts(`${name}a`));
    return 'done';
  });
  expect((await runner().run([contractWorker({ save })]))['fetch-contract']?.done).toBe(5);
});

test('works again on a job that is queued during its attempt, with any outcome', async () => {
  for (const end of [undefined, fail('http-404'), fail('timeout')]) {
    await queue('a');
    let attempts = 0;
    const work = async () => {
      if (attempts++ === 0) await queue('a');
    };
    const save = oneByOne<'fetch-contract', unknown>((transaction, job) =>
      endAttempt(transaction, job, attempts === 1 ? end : undefined),
    );
    await runner().run([contractWorker({ work, save })]);
    expect(attempts).toBe(2);
    expect(await left()).toBe(0);
  }
});

test('runs while a feeder runs, and starts its jobs at once', async () => {
  const running = runner();
  const worked: string[] = [];
  const feed = async () => {
    for (const name of ['a', 'b']) {
      await delay(30);
      await queue(name);
      running.feed(Promise.resolve());
      while (!worked.includes(name)) await delay(1);
    }
  };
  running.feed(feed());
  const work = async (job: Job<'fetch-contract'>) => void worked.push(nameOf(job));
  await running.run([contractWorker({ work })]);
  expect(worked).toEqual(['a', 'b']);
});

test('works on a kind when it opens, and keeps the jobs of a closed kind', async () => {
  await queue('a', 'b', 'c');
  let isOpen = false;
  let worked = 0;
  const running = runner();
  const open = async () => {
    await delay(20);
    isOpen = true;
  };
  running.feed(open());
  const work = async () => {
    expect(isOpen).toBe(true);
    if (++worked === 2) isOpen = false;
  };
  await running.run([contractWorker({ isOpen: () => isOpen, work, concurrency: 1 })]);
  expect([worked, await left()]).toEqual([2, 1]);
});

test('waits for early retries, and leaves retries after the patience to a later run', async () => {
  await queue('quick', 'slow');
  const failing = new Map([
    ['quick', { ...fail('http-503'), retryAfterSeconds: 0.1 }],
    ['slow', { ...fail('host-held'), retryAfterSeconds: 600 }],
  ]);
  const save = oneByOne<'fetch-contract', unknown>(async (transaction, job) => {
    const failure = failing.get(nameOf(job));
    if (nameOf(job) === 'quick') failing.delete('quick');
    await endAttempt(transaction, job, failure);
    return failure === undefined ? 'done' : 'failed';
  });
  const summary = await runner({ patienceMs: 5_000 }).run([contractWorker({ save })]);
  expect(summary['fetch-contract']).toMatchObject({ done: 1, failed: 2 });
  expect(await left()).toBe(1);
});

test('does not count working time as waiting time', async () => {
  await queue('long');
  const save = oneByOne<'fetch-contract', unknown>(async (transaction, job) => {
    if (job.attempts === 3) return done(transaction, job);
    await failJob(transaction, job, fail('vm-timeout'), { nextAttemptAt: Date.now() + 10 });
    return 'failed';
  });
  const work = () => delay(120);
  await runner({ patienceMs: 200 }).run([contractWorker({ work, save })]);
  expect(await left()).toBe(0);
});

test('records a bug in work or save, and finishes the other jobs', async () => {
  await queue('a', 'b', 'c', 'd');
  const work = async (job: Job<'fetch-contract'>) => {
    if (nameOf(job) === 'a') throw new Error('a bug in work');
  };
  const save = oneByOne<'fetch-contract', unknown>(async (transaction, job) => {
    if (nameOf(job) === 'b') throw new TypeError('a bug in save');
    return done(transaction, job);
  });
  const summary = await runner().run([contractWorker({ work, save })]);
  expect(summary['fetch-contract']).toMatchObject({ done: 2, bugs: 2 });
  const rows = await store.selectFrom('job').select(['failure_code', 'failure_message', 'stack']).execute();
  expect(rows.map((row) => [row.failure_code, row.failure_message])).toEqual([
    ['bug', 'a bug in work'],
    ['bug', 'a bug in save'],
  ]);
  expect(rows[1]?.stack).toContain('TypeError');
});

test.each(['work', 'save'])('ends the run with an error that ends the command, from %s', async (where) => {
  await queue('a', 'b');
  const full = async () => {
    throw stop('disk-full');
  };
  const worker = contractWorker(where === 'work' ? { work: full } : { save: full });
  await expect(runner().run([worker])).rejects.toMatchObject({ failure: { code: 'disk-full' } });
  expect(await left()).toBe(2);
});

test('ends the run if a feeder throws', async () => {
  const running = runner();
  running.feed(Promise.reject(stop('other-chain')));
  await expect(running.run([contractWorker()])).rejects.toMatchObject({ failure: { code: 'other-chain' } });
  expect(running.signal.aborted).toBe(true);
});

test('keeps the jobs in flight of a stopped run', async () => {
  await queue('a', 'b', 'c');
  const controller = new AbortController();
  const running = runner({ signal: controller.signal });
  const work = async () => controller.abort();
  expect((await running.run([contractWorker({ work, concurrency: 1 })]))['fetch-contract']?.done).toBe(0);
  expect(await left()).toBe(3);
});

test('finishes more jobs than it reads at once', async () => {
  await queue(...Array.from({ length: 2_500 }, (_, index) => `c${index}`));
  expect((await runner().run([contractWorker()]))['fetch-contract']?.done).toBe(2_500);
});
