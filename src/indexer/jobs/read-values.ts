// The jobs that call getters at a node's tip.
import { type Failure, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { GetterAnswer } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { deleteJobs, writeGettersLeft } from '#store/jobs.ts';
import { writeReadings } from '#store/readings.ts';
import type { JobContext } from './job-context.ts';
import type { Finished, JobWorker, Outcome } from './job-worker.ts';
import { FOR_EVER, settleAttempt } from './settle-attempt.ts';
import { settleReadValues } from './settle-values.ts';

/** What the getters answered that could be called, and why the next one could not. */
interface Answers {
  readonly answers: readonly GetterAnswer[];
  readonly height: number | undefined;
  readonly failure: Failure | undefined;
}

export function readValues({ access, options }: JobContext): JobWorker<'read-values', Answers> | undefined {
  if (access === undefined) return undefined;
  return {
    kind: 'read-values',
    task: 'tokens at the node',
    concurrency: options.concurrency,
    isOpen: () => access.canAsk('values'),
    work: (job) => callGetters(access.source, job),
    settle,
  };
}

async function callGetters(source: ChainSource, { contractId, getters }: Job<'read-values'>): Promise<Answers> {
  const answers: GetterAnswer[] = [];
  const tip = await source.tip();
  if (isFailure(tip)) return { answers, height: undefined, failure: tip };
  for (const getter of getters) {
    const answer = await source.callGetter(contractId, getter);
    if (isFailure(answer)) return { answers, height: tip.height, failure: answer };
    answers.push(answer);
  }
  return { answers, height: tip.height, failure: undefined };
}

async function settle(store: StoreWriter, finished: readonly Finished<'read-values', Answers>[]): Promise<Outcome[]> {
  await writeReadings(
    store,
    finished.flatMap(({ job: { tokenId }, result: { answers, height } }) =>
      answers.map((answer) => ({
        ...answer,
        tokenId,
        source: 'node' as const,
        ...(height === undefined ? {} : { height }),
      })),
    ),
  );
  const done = finished.filter(({ result }) => result.failure === undefined);
  await deleteJobs(
    store,
    done.map(({ job }) => job.jobId),
  );
  for (const { job, result } of finished) {
    if (result.failure === undefined) continue;
    const hasProgress = result.answers.length > 0;
    // Nothing that was read is read again.
    if (hasProgress) await writeGettersLeft(store, job.jobId, job.getters.slice(result.answers.length));
    const attempt = hasProgress ? { ...job, attempts: 0 } : job;
    await settleAttempt(store, attempt, result.failure, FOR_EVER);
  }
  await settleReadValues(
    store,
    done.map(({ job }) => job.tokenId),
  );
  return finished.map(({ result }) => (result.failure === undefined ? 'done' : 'failed'));
}
