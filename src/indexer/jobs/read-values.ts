// Jobs that call getters at a node's tip.
import { fail, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import {
  ANY_NUMBER,
  type GetterResult,
  isCollectionStandard,
  type NftMode,
  NO_NUMBER,
  resultBytes,
} from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import { callGetter } from '#source/stacks-node/node-responses.ts';
import { readTip } from '#store/chain/blocks.ts';
import { readDeployBlock } from '#store/chain/deploys.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import type { NewReading } from '#store/tokens/readings.ts';
import { readToken } from '#store/tokens/tokens.ts';
import { deleteJobs, writeGettersLeft } from '#store/work/jobs.ts';
import { finishReadTokens } from '../documents/finish-collections.ts';
import { storeReported } from '../queue/queue-token-reads.ts';
import { endAttempt, FOR_EVER } from '../runner/end-attempt.ts';
import type { Finished, JobWorker, Outcome } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

/** The number of attempts that require a node's tip at or above the archive's tip. Later attempts do not. */
const PATIENT_ATTEMPTS = 4;

export function readValues({ store, access, options }: JobContext): JobWorker<'read-values', Called> | undefined {
  if (access === undefined) return undefined;
  return {
    kind: 'read-values',
    task: 'tokens at the node',
    isOpen: () => access.isAvailable('values'),
    work: (job) => callGetters(access.source, store, job),
    bytesOf: ({ results }) => resultBytes(results),
    save: (writer, finished) => save(writer, finished, options.nft),
  };
}

type Called = Awaited<ReturnType<typeof callGetters>>;

/** Calls getters until a call fails. If all tokens of a collection share the values, passes an arbitrary token id. */
async function callGetters(source: ChainSource, store: Store, { contractId, getters, ...job }: Job<'read-values'>) {
  const token = await readToken(store, job.tokenId);
  const number =
    token !== undefined && isCollectionStandard(token.standard) ? token.tokenNumber || ANY_NUMBER : undefined;
  const results: GetterResult[] = [];
  // The job is older than the archive that now contains the collection. Such tokens are no longer read from a node.
  if (token !== undefined && token.tokenNumber !== NO_NUMBER && (await readDeployBlock(store, token.deployId)))
    return { results, height: undefined, failure: undefined };
  const archiveHeight = (await readTip(store))?.height ?? 0;
  const tip = await source.tip(archiveHeight);
  if (isFailure(tip)) return { results, height: undefined, failure: tip };
  if ((tip.height ?? archiveHeight) < archiveHeight && job.attempts < PATIENT_ATTEMPTS) {
    const message = `The node is at height ${tip.height}, and the archive at ${archiveHeight}.`;
    return { results, height: undefined, failure: fail('source-invalid', message) };
  }
  for (const getter of getters) {
    const result = await callGetter(source.node, contractId, getter, number);
    if (isFailure(result)) return { results, height: tip.height, failure: result };
    results.push(result);
  }
  return { results, height: tip.height, failure: undefined };
}

async function save(store: StoreWriter, finished: readonly Finished<'read-values', Called>[], nft: NftMode) {
  const readings = finished.flatMap(({ job: { tokenId }, result: { results, height } }): NewReading[] => {
    const origin = { tokenId, source: 'node' as const, ...(height === undefined ? {} : { height }) };
    return results.map((result) => ({ ...result, ...origin }));
  });
  const contractIds = finished.map(({ job }) => job.contractId);
  await storeReported(store, contractIds, readings);
  const done = finished.filter(({ result }) => result.failure === undefined).map(({ job }) => job);
  await deleteJobs(store, done);
  for (const {
    job,
    result: { results, failure },
  } of finished) {
    if (failure === undefined) continue;
    const hasProgress = results.length > 0;
    // The retry skips the getters that succeeded.
    if (hasProgress) await writeGettersLeft(store, job, job.getters.slice(results.length));
    const attempt = hasProgress ? { ...job, attempts: 0 } : job;
    await endAttempt(store, attempt, failure, FOR_EVER);
  }
  const tokenIds = done.map((job) => job.tokenId);
  await finishReadTokens(store, tokenIds, nft);
  return finished.map(({ result }): Outcome => (result.failure === undefined ? 'done' : 'failed'));
}
