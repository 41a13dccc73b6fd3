// The jobs that page through an API's token list: they queue unknown contracts and take the values of known ones.
import { type Failure, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { TokenPage } from '#source/stacks-api/list-tokens.ts';
import { addToCounters } from '#store/chain-log.ts';
import { readServedAmong } from '#store/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { countJobs, deleteJobs, deletePagesFrom, insertJobs } from '#store/jobs.ts';
import { writeListedTokens } from '#store/listed-tokens.ts';
import { readKnownToApi } from '#store/reports.ts';
import { writeRunMark } from '#store/run-mark.ts';
import { queueValues } from '../queue/queue-values.ts';
import type { JobContext } from './job-context.ts';
import { type JobWorker, type Outcome, oneByOne } from './job-worker.ts';
import { FOR_EVER, settleAttempt } from './settle-attempt.ts';

export function listTokens({ access, options }: JobContext): JobWorker<'list-tokens', TokenPage | Failure> | undefined {
  if (access?.source.hasApi !== true) return undefined;
  return {
    kind: 'list-tokens',
    task: 'token list pages',
    concurrency: options.concurrency,
    isOpen: () => access.isAvailable('contracts'),
    work: ({ offset }) => access.source.listTokens(offset),
    settle: async (store, finished) => {
      const outcomes = await oneByOne(settle)(store, finished);
      if ((await countJobs(store))['list-tokens'] === 0) await writeRunMark(store, 'listed');
      return outcomes;
    },
  };
}

async function settle(store: StoreWriter, job: Job<'list-tokens'>, result: TokenPage | Failure): Promise<Outcome> {
  if (isFailure(result)) {
    await settleAttempt(store, job, result, FOR_EVER);
    return 'failed';
  }
  await deleteJobs(store, [job.jobId]);
  await storePage(store, result);
  // Nothing follows an empty page, whatever total the list gave.
  if (result.tokens.length + result.unreadable === 0) await deletePagesFrom(store, job.offset);
  return 'done';
}

async function storePage(store: StoreWriter, { tokens, next, unreadable }: TokenPage): Promise<void> {
  await writeListedTokens(store, tokens);
  const ids = tokens.map((token) => token.contractId);
  const served = await readServedAmong(store, ids);
  const known = served.filter(({ canonical, confirmed }) => canonical && confirmed).map(({ contractId }) => contractId);
  const knownToApi = await readKnownToApi(store, ids);
  const unknown = ids.filter((id) => !known.includes(id) && knownToApi.get(id) !== true);
  await insertJobs(store, [
    ...unknown.map((contractId) => ({ kind: 'fetch-contract', contractId }) as const),
    ...next.map((offset) => ({ kind: 'list-tokens', offset }) as const),
  ]);
  await queueValues(store, known);
  if (unreadable > 0) await addToCounters(store, new Map([['token list items without a contract', unreadable]]));
}
