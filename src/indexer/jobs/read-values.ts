// Jobs that call getters at a node's tip.
import { fail, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import {
  ANY_NUMBER,
  type GetterResult,
  isCollectionStandard,
  NO_NUMBER,
  resultBytes,
  type TokenGetter,
} from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import { callGetter } from '#source/stacks-node/node-responses.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readDeployBlock } from '#store/chain/deploys.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import type { NewReading } from '#store/tokens/readings.ts';
import { markValuesRead, readToken } from '#store/tokens/tokens.ts';
import { deleteJobs, writeGettersLeft } from '#store/work/jobs.ts';
import { finishReadTokens } from '../documents/finish-collections.ts';
import type { IndexOptions } from '../index-options.ts';
import { storeReported } from '../queue/queue-token-reads.ts';
import { endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import type { Finished, JobWorker, Outcome } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';
import { takeValues } from './take-from-earlier.ts';

/** The number of attempts that require a node's tip at or above the archive's tip. Later attempts do not. */
const PATIENT_ATTEMPTS = 4;

export function readValues({ store, access, options }: JobContext): JobWorker<'read-values', Answers> | undefined {
  if (access === undefined) return undefined;
  return {
    kind: 'read-values',
    task: 'tokens at the node',
    isOpen: () => access.isAvailable('values'),
    work: async (job) => {
      const taken = await takeValues(store, options.kept, job.tokenId, job.getters);
      const left = job.getters.filter((getter) => !taken.some(({ reading }) => reading.getter === getter));
      if (left.length === 0) return { ...NOTHING_CALLED, taken, left };
      return { ...(await callGetters(access.source, store, { ...job, getters: left })), taken, left };
    },
    bytesOf: ({ answers }) => resultBytes(answers),
    save: (store, finished) => save(store, finished, options),
  };
}

type Answers = Awaited<ReturnType<typeof callGetters>> & {
  readonly taken: Awaited<ReturnType<typeof takeValues>>;
  /** The getters that the kept index has no value for. */
  readonly left: readonly TokenGetter[];
};

const NOTHING_CALLED = { answers: [], height: undefined, failure: undefined };

/** Calls getters until a call fails. If all tokens of a collection share the values, passes an arbitrary token id. */
async function callGetters(source: ChainSource, store: Store, { contractId, getters, ...job }: Job<'read-values'>) {
  const token = await readToken(store, job.tokenId);
  const number =
    token !== undefined && isCollectionStandard(token.standard) ? token.tokenNumber || ANY_NUMBER : undefined;
  const answers: GetterResult[] = [];
  // The job is older than the archive that now contains the collection. Such tokens are no longer read from a node.
  if (token !== undefined && token.tokenNumber !== NO_NUMBER && (await readDeployBlock(store, token.deployId)))
    return { answers, height: undefined, failure: undefined };
  const archiveHeight = (await readTip(store))?.height ?? 0;
  const tip = await source.tip(archiveHeight);
  if (isFailure(tip)) return { answers, height: undefined, failure: tip };
  if ((tip.height ?? archiveHeight) < archiveHeight && job.attempts < PATIENT_ATTEMPTS) {
    const message = `The node is at height ${tip.height}, and the archive at ${archiveHeight}.`;
    return { answers, height: undefined, failure: fail('source-invalid', message) };
  }
  for (const getter of getters) {
    const answer = await callGetter(source.node, contractId, getter, number);
    if (isFailure(answer)) return { answers, height: tip.height, failure: answer };
    answers.push(answer);
  }
  return { answers, height: tip.height, failure: undefined };
}

async function save(
  store: StoreWriter,
  finished: readonly Finished<'read-values', Answers>[],
  { nft, kept }: IndexOptions,
) {
  const readings = finished.flatMap(({ job: { tokenId }, result: { answers, height, taken } }): NewReading[] => {
    const origin = { tokenId, source: 'node' as const, ...(height === undefined ? {} : { height }) };
    if (kept !== undefined) kept.taken.values += taken.length;
    return [
      ...taken.map(({ reading }) => ({ ...reading, tokenId })),
      ...answers.map((answer) => ({ ...answer, ...origin })),
    ];
  });
  const contractIds = finished.map(({ job }) => job.contractId);
  await storeReported(store, contractIds, readings);
  const done = finished.filter(({ result }) => result.failure === undefined).map(({ job }) => job);
  await deleteJobs(store, done);
  for (const { job, result } of finished) {
    if (result.failure === undefined) continue;
    const hasProgress = result.answers.length + result.taken.length > 0;
    // The retry skips the getters that succeeded.
    if (hasProgress) await writeGettersLeft(store, job, result.left.slice(result.answers.length));
    const attempt = hasProgress ? { ...job, attempts: 0 } : job;
    await endAttempt(store, attempt, result.failure, FOR_EVER);
  }
  const tokenIds = done.map((job) => job.tokenId);
  await finishReadTokens(store, tokenIds, nft);
  // Values from the kept index keep the time at which an earlier run read them.
  for (const { job, result } of finished)
    for (const { readAt } of result.taken.slice(0, 1)) await markValuesRead(store, [job.tokenId], readAt);
  return finished.map(({ result }): Outcome => {
    if (result.failure !== undefined) return 'failed';
    return result.left.length === 0 && result.taken.length > 0 ? undefined : 'done';
  });
}
