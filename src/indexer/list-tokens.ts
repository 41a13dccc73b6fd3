// Works off the jobs that page through an API's token list: contracts that are not known are asked for, values of the others taken.
import { type Failure, isFailure } from '#model/failure.ts';
import type { ChainSource } from '#source/chain-source.ts';
import type { TokenPage } from '#source/stacks-api/list-tokens.ts';
import { addToCounters } from '#store/chain-log.ts';
import { readServedAmong } from '#store/contracts.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { countJobsOf, deleteJob, deletePagesFrom, insertJobs, type Job } from '#store/jobs.ts';
import { writeListedTokens } from '#store/listed-tokens.ts';
import { readReported } from '#store/reports.ts';
import { writeRunMark } from '#store/run-mark.ts';
import { queueValues } from './read-values.ts';
import { FOR_EVER, settleAttempt } from './settle-attempt.ts';
import {
  type JobWorker,
  type Outcome,
  oneByOne,
  type WorkOptions,
  type WorkSummary,
  workOffJobs,
} from './work-off-jobs.ts';

export async function fetchTokenList(store: Store, source: ChainSource, options: WorkOptions): Promise<WorkSummary> {
  return workOffJobs(store, listWorker(source), options);
}

function listWorker(source: ChainSource): JobWorker<'list-tokens', TokenPage | Failure> {
  return {
    kind: 'list-tokens',
    task: 'token list pages',
    work: ({ part }) => source.listTokens(Number(part)),
    settle: async (store, finished) => {
      const outcomes = await oneByOne(settle)(store, finished);
      if ((await countJobsOf(store, 'list-tokens')) === 0) await writeRunMark(store, 'listed');
      return outcomes;
    },
    isStopped: () => source.downBecauseOf('contracts') !== undefined,
  };
}

async function settle(store: StoreWriter, job: Job, result: TokenPage | Failure): Promise<Outcome> {
  if (isFailure(result)) {
    await settleAttempt(store, job, result, FOR_EVER);
    return 'failed';
  }
  await deleteJob(store, job.jobId);
  await storePage(store, result);
  // Behind an empty page there is nothing, whatever the list said of its length.
  if (result.tokens.length + result.unreadable === 0) await deletePagesFrom(store, Number(job.part));
  return 'done';
}

async function storePage(store: StoreWriter, { tokens, next, unreadable }: TokenPage): Promise<void> {
  await writeListedTokens(store, tokens);
  const ids = tokens.map((token) => token.contractId);
  const known = new Set(
    (await readServedAmong(store, ids))
      .filter((contract) => contract.canonical && contract.confirmed)
      .map((contract) => contract.contractId),
  );
  const reported = await readReported(store, ids);
  const unknown = ids.filter((id) => !known.has(id) && reported.get(id) !== true);
  await insertJobs(
    store,
    unknown.map((contractId) => ({ kind: 'fetch-contract' as const, contractId })),
  );
  await insertJobs(
    store,
    next.map((offset) => ({ kind: 'list-tokens' as const, part: String(offset) })),
  );
  await queueValues(store, [...known]);
  if (unreadable > 0) await addToCounters(store, new Map([['token list items without a contract', unreadable]]));
}
