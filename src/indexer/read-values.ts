// Works off the jobs that call getters at a node's tip, and queues them for tokens that no node was asked about.
import { type Failure, isFailure } from '#model/failure.ts';
import { type GetterAnswer, TOKEN_GETTERS, type TokenGetter } from '#model/token.ts';
import type { ChainSource } from '#source/chain-source.ts';
import { readServedOfDeploys, tokensAmong, touchContracts } from '#store/contracts.ts';
import { nextRevision, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJobs, deleteJobsOfTokens, insertJobs, tokensWithJobs, writeJobPart } from '#store/jobs.ts';
import { readListedTokens } from '#store/listed-tokens.ts';
import { type NewReading, writeReadings } from '#store/readings.ts';
import { insertTokens, markValuesRead, readTokens, type TokenKey } from '#store/tokens.ts';
import { FOR_EVER, settleAttempt } from './settle-attempt.ts';
import { settleValues } from './settle-values.ts';
import {
  type Finished,
  type JobWorker,
  type Outcome,
  type WorkOptions,
  type WorkSummary,
  workOffJobs,
} from './work-off-jobs.ts';

/** What the getters answered that could be asked, and why the next one could not. */
interface Asked {
  readonly answers: readonly GetterAnswer[];
  readonly height: number | undefined;
  readonly failure: Failure | undefined;
}

export async function readValues(store: Store, source: ChainSource, options: WorkOptions): Promise<WorkSummary> {
  return workOffJobs(store, valueWorker(source), options);
}

function valueWorker(source: ChainSource): JobWorker<'read-values', Asked> {
  return {
    kind: 'read-values',
    task: 'tokens at the node',
    work: async ({ contractId, part }) => {
      const answers: GetterAnswer[] = [];
      const tip = await source.tip();
      if (isFailure(tip)) return { answers, height: undefined, failure: tip };
      for (const getter of part.split(' ')) {
        const answer = await source.callGetter(contractId, getter as TokenGetter);
        if (isFailure(answer)) return { answers, height: tip.height, failure: answer };
        answers.push(answer);
      }
      return { answers, height: tip.height, failure: undefined };
    },
    settle,
    isStopped: () => source.downBecauseOf('values') !== undefined,
  };
}

async function settle(store: StoreWriter, finished: readonly Finished<'read-values', Asked>[]): Promise<Outcome[]> {
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
    if (hasProgress) await writeJobPart(store, job.jobId, job.part.split(' ').slice(result.answers.length).join(' '));
    const attempt = hasProgress ? { ...job, attempts: 0 } : job;
    await settleAttempt(store, attempt, result.failure, FOR_EVER);
  }
  await settleTokens(store, new Map(done.map(({ job }) => [job.tokenId, job.contractId])));
  return finished.map(({ result }) => (result.failure === undefined ? 'done' : 'failed'));
}

/** Tokens by their ids, each with its contract. */
async function settleTokens(store: StoreWriter, contractIds: ReadonlyMap<number, string>): Promise<void> {
  if (contractIds.size === 0) return;
  await markValuesRead(store, [...contractIds.keys()], Date.now());
  await settleValues(store, [...contractIds.keys()]);
  await touchContracts(store, [...contractIds.values()], await nextRevision(store));
}

/** Takes what a token list says of those contracts that are tokens, and queues the getters that it does not tell. */
export async function queueValues(store: StoreWriter, contractIds: readonly string[]): Promise<void> {
  const contracts = await tokensAmong(store, contractIds, 'sip-010');
  const deployIds = contracts.map((contract) => contract.deployId);
  await insertTokens(store, deployIds);
  const tokens = await readTokens(store, deployIds);
  const listed = new Map(
    (await readListedTokens(store, contractIds)).map(({ contractId, answers }) => [contractId, answers]),
  );
  const isQueued = await tokensWithJobs(
    store,
    'read-values',
    [...tokens.values()].map((token) => token.tokenId),
  );
  const jobs: ReturnType<typeof valueJob>[] = [];
  const readings: NewReading[] = [];
  const settled = new Map<number, string>();
  for (const { contractId, deployId } of contracts) {
    const token = tokens.get(deployId);
    if (token === undefined) continue;
    const answers = listed.get(contractId) ?? [];
    readings.push(...answers.map((answer) => ({ ...answer, tokenId: token.tokenId, source: 'token-list' as const })));
    const known = new Set([...answers, ...token.readings.filter(({ source }) => source !== 'vm')].map(getterOf));
    const unknown = TOKEN_GETTERS.filter((getter) => !known.has(getter));
    if (unknown.length > 0 && !isQueued.has(token.tokenId)) jobs.push(valueJob(token, contractId, unknown));
    if (answers.length > 0) settled.set(token.tokenId, contractId);
  }
  await writeReadings(store, readings);
  await insertJobs(store, jobs);
  await settleTokens(store, settled);
}

/** Queues every getter of the given tokens, whatever was read of them before. */
export async function queueAllValues(store: StoreWriter, tokens: readonly TokenKey[]): Promise<void> {
  const contracts = await readServedOfDeploys(
    store,
    tokens.map((token) => token.deployId),
  );
  const contractIds = new Map(contracts.map((contract) => [contract.deployId, contract.contractId]));
  const jobs = tokens.flatMap((token) => {
    const contractId = contractIds.get(token.deployId);
    return contractId === undefined ? [] : [valueJob(token, contractId, TOKEN_GETTERS)];
  });
  // What is left of an earlier one is among them.
  await deleteJobsOfTokens(
    store,
    'read-values',
    jobs.map((job) => job.tokenId),
  );
  await insertJobs(store, jobs);
}

function valueJob({ tokenId }: Pick<TokenKey, 'tokenId'>, contractId: string, getters: readonly TokenGetter[]) {
  return { kind: 'read-values' as const, tokenId, contractId, part: getters.join(' ') };
}

function getterOf({ getter }: { readonly getter: TokenGetter }): TokenGetter {
  return getter;
}
