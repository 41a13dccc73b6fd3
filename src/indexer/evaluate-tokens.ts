// Works off the evaluation jobs: on-chain values of queued tokens, from the embedded VM.
import PQueue from 'p-queue';
import { MAINNET_CHAIN_ID } from '#model/chain.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Reporter } from '#model/reporter.ts';
import type { Evaluation } from '#model/token.ts';
import { readServedOfDeploys, touchContractOfDeploy } from '#store/contracts.ts';
import { nextRevision, readInfo, type Store, type StoreWriter } from '#store/index-database.ts';
import { countJobs, deleteJob, failJob, readJobs, readPendingWork, type TokenJob } from '#store/jobs.ts';
import { writeReadings } from '#store/readings.ts';
import { isSqliteError } from '#store/sqlite.ts';
import { readToken, type Token, writeState, writeSupplyAssets } from '#store/tokens.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { findClosure } from './find-closure.ts';
import { settleValues } from './settle-values.ts';

/** A token of mainnet takes milliseconds, one with forty dependencies a second or two. */
const TIME_LIMIT_MS = 20_000;
/** Each further attempt has this much more time than the one before; after the last, the time-out is settled. */
const TIME_LIMIT_GROWTH = 2;
const MAX_ATTEMPTS = 4;
const JOBS_PER_READ = 200;

export interface EvaluationOptions {
  readonly concurrency: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface EvaluationSummary {
  readonly evaluated: number;
  /** Attempts that are tried again by a later run. */
  readonly timedOut: number;
  /** Jobs that ended in an error of this program; their rows keep its stack. */
  readonly bugs: number;
}

/** Every job is tried once a run. A finished one is committed with its result, so a kill loses at most what is in flight. */
export async function evaluateTokens(store: Store, options: EvaluationOptions): Promise<EvaluationSummary> {
  const { chainId } = await readInfo(store);
  const total = (await countJobs(store))['evaluate-token'];
  const evaluator = new Evaluator();
  const queue = new PQueue({ concurrency: options.concurrency });
  const abandon = () => void evaluator.close();
  options.signal.addEventListener('abort', abandon, { once: true });
  const summary = { evaluated: 0, timedOut: 0, bugs: 0 };
  let done = 0;

  const work = async (job: TokenJob) => {
    if (options.signal.aborted) return;
    try {
      const result = await evaluateJob(store, evaluator, job, chainId === MAINNET_CHAIN_ID);
      // Interrupted: that is nobody's failure, and the job stays as it was.
      if (options.signal.aborted) return;
      const settled = await store.transaction().execute((transaction) => settle(transaction, job, result));
      if (settled) summary.evaluated++;
      else summary.timedOut++;
    } catch (error) {
      // Trouble of the disk or the database is not this token's.
      if (isSqliteError(error)) throw error;
      summary.bugs++;
      const bug = fail('bug', error instanceof Error ? error.message : String(error), error);
      options.reporter.warn(`a token could not be evaluated: ${bug.message}`, { job: job.jobId });
      await store
        .transaction()
        .execute((transaction) =>
          failJob(transaction, job.jobId, bug, { stack: error instanceof Error ? error.stack : undefined }),
        );
    }
    done++;
    options.reporter.progress({ task: 'tokens', done, total, unit: 'items' });
  };

  try {
    let last = 0;
    for (;;) {
      const jobs = await readJobs(store, 'evaluate-token', last, JOBS_PER_READ);
      last = jobs.at(-1)?.jobId ?? last;
      if (jobs.length === 0 || options.signal.aborted) break;
      await queue.addAll(jobs.map((job) => () => work(job)));
    }
  } finally {
    options.signal.removeEventListener('abort', abandon);
    queue.clear();
    await evaluator.close();
  }
  return summary;
}

type Result = { readonly token: Token; readonly evaluation: Evaluation | Failure };

/** Undefined for a token whose deploy is not served any more, because a fork was left: it is queued again if that comes back. */
async function evaluateJob(
  store: Store,
  evaluator: Evaluator,
  job: TokenJob,
  mainnet: boolean,
): Promise<Result | undefined> {
  const token = await readToken(store, job.tokenId);
  const contract = token === undefined ? undefined : (await readServedOfDeploys(store, [token.deployId]))[0];
  if (token === undefined || contract === undefined) return undefined;
  const closure = await findClosure(store, contract);
  if (isFailure(closure)) return { token, evaluation: closure };
  const limit = TIME_LIMIT_MS * TIME_LIMIT_GROWTH ** job.attempts;
  return { token, evaluation: await evaluator.evaluate({ ...closure, mainnet }, limit) };
}

/** Stores what an evaluation gave. Returns false if it is to be tried again. */
async function settle(store: StoreWriter, job: TokenJob, result: Result | undefined): Promise<boolean> {
  if (result === undefined) {
    await deleteJob(store, job.jobId);
    return true;
  }
  const { token, evaluation } = result;
  if (isFailure(evaluation) && evaluation.retryable && job.attempts + 1 < MAX_ATTEMPTS) {
    await failJob(store, job.jobId, evaluation);
    return false;
  }
  await deleteJob(store, job.jobId);
  if (isFailure(evaluation)) {
    await settleRefusal(store, token, evaluation);
  } else {
    const { answers, partial, supplyAssets } = evaluation;
    const contract = (await readServedOfDeploys(store, [token.deployId]))[0];
    await writeSupplyAssets(
      store,
      token.tokenId,
      supplyAssets?.map((name) => `${contract?.contractId}::${name}`),
    );
    await writeReadings(
      store,
      answers.map((answer) => ({ ...answer, tokenId: token.tokenId, source: 'vm' as const, partial })),
    );
    await settleValues(store, [token.tokenId]);
  }
  await touchContractOfDeploy(store, token.deployId, await nextRevision(store));
  return true;
}

/** A token that the VM refuses has no value, unless a node told one, or is still to be asked. */
async function settleRefusal(store: StoreWriter, token: Token, refusal: Failure): Promise<void> {
  const pending = (await readPendingWork(store, [token.tokenId])).get(token.tokenId) ?? [];
  if (token.readings.length > 0 || pending.some((work) => work.kind === 'read-values')) return;
  await writeState(store, [token.tokenId], 'error', refusal);
}
