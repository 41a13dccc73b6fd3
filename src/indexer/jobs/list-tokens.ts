// Jobs that read an API's token list page by page. They queue unknown contracts and store the values of known contracts.
// A page that fails is retried, and the next page follows after it has been read.

import { type Failure, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import type { Reporter } from '#model/reporter.ts';
import type { NftMode } from '#model/token.ts';
import { listTokens as listTokensFrom, type TokenPage } from '#source/stacks-api/api-responses.ts';
import { deleteChainFailures, insertChainFailures } from '#store/chain/chain-log.ts';
import { readServedAmong } from '#store/contracts/contracts.ts';
import { readKnownToApi } from '#store/contracts/reports.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { writeInfo } from '#store/index-info.ts';
import { writeListedTokens } from '#store/tokens/listed-tokens.ts';
import { countJobs, insertJobs } from '#store/work/jobs.ts';
import type { IndexOptions } from '../index-options.ts';
import { queueTokenReads } from '../queue/queue-token-reads.ts';
import { endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import { type JobWorker, type Outcome, oneByOne } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

export function listTokens({ access, options }: JobContext): JobWorker<'list-tokens', TokenPage | Failure> | undefined {
  const api = access?.source.api;
  if (access === undefined || api === undefined) return undefined;
  return {
    kind: 'list-tokens',
    task: 'token list pages',
    isOpen: () => access.isAvailable('contracts'),
    work: ({ offset }) => listTokensFrom(api, offset),
    save: async (store, finished) => {
      const outcomes = await oneByOne<'list-tokens', TokenPage | Failure>((writer, job, result) =>
        save(writer, job, result, options),
      )(store, finished);
      if ((await countJobs(store))['list-tokens'] === 0) await writeInfo(store, { runMark: 'listed' });
      return outcomes;
    },
  };
}

async function save(
  store: StoreWriter,
  job: Job<'list-tokens'>,
  result: TokenPage | Failure,
  { reporter, nft }: IndexOptions,
): Promise<Outcome> {
  const outcome = await endAttempt(store, job, isFailure(result) ? result : undefined, FOR_EVER);
  if (isFailure(result)) return outcome;
  await storePage(store, result, nft);
  await recordUnreadable(store, job.offset, result.unreadable, reporter);
  return outcome;
}

async function storePage(store: StoreWriter, { tokens, next }: TokenPage, nft: NftMode): Promise<void> {
  await writeListedTokens(store, tokens);
  const ids = tokens.map((token) => token.contractId);
  const served = await readServedAmong(store, ids);
  const known = new Set(
    served.filter(({ canonical, confirmed }) => canonical && confirmed).map(({ contractId }) => contractId),
  );
  const knownToApi = await readKnownToApi(store, ids);
  const unknown = ids.filter((id) => !known.has(id) && knownToApi.get(id) !== true);
  await insertJobs(store, [
    ...unknown.map((contractId) => ({ kind: 'fetch-contract', contractId }) as const),
    ...(next === undefined ? [] : [{ kind: 'list-tokens', offset: next } as const]),
  ]);
  await queueTokenReads(store, [...known], nft);
}

/** Stores at most one failure per page, so that a completely invalid list does not fill the index. */
async function recordUnreadable(store: StoreWriter, offset: number, unreadable: readonly number[], reporter: Reporter) {
  const subject = `token list from ${offset}`;
  await deleteChainFailures(store, 'source-invalid', [subject]);
  if (unreadable.length === 0) return;
  const message = `Items without a contract id: ${unreadable.length}, the first at offset ${unreadable[0]}.`;
  await insertChainFailures(store, [{ code: 'source-invalid', subject, message }]);
  reporter.warn(`${subject}: ${message}`);
}
