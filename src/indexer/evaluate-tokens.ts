// Works off the evaluation jobs: on-chain values of queued tokens, from the embedded VM.
import { MAINNET_CHAIN_ID } from '#model/chain.ts';
import { type Failure, isFailure } from '#model/failure.ts';
import type { Evaluation } from '#model/token.ts';
import { readServedOfDeploys, touchContractOfDeploy } from '#store/contracts.ts';
import { nextRevision, readInfo, type Store, type StoreWriter } from '#store/index-database.ts';
import { deleteJob, readPendingWork, type TokenJob } from '#store/jobs.ts';
import { writeReadings } from '#store/readings.ts';
import { readToken, type Token, writeState, writeSupplyAssets } from '#store/tokens.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { findClosure } from './find-closure.ts';
import { settleAttempt } from './settle-attempt.ts';
import { settleValues } from './settle-values.ts';
import {
  type JobWorker,
  type Outcome,
  oneByOne,
  type WorkOptions,
  type WorkSummary,
  workOffJobs,
} from './work-off-jobs.ts';

/** A token of mainnet takes milliseconds, one with forty dependencies a second or two. */
const TIME_LIMIT_MS = 20_000;
/** Each further attempt has this much more time than the one before; after the last, the time-out is settled. */
const TIME_LIMIT_GROWTH = 2;
const MAX_ATTEMPTS = 4;

/** Abandons what is being evaluated when the run is stopped. */
export async function evaluateTokens(store: Store, options: WorkOptions): Promise<WorkSummary> {
  const { chainId } = await readInfo(store);
  const evaluator = new Evaluator();
  const abandon = () => void evaluator.close();
  options.signal.addEventListener('abort', abandon, { once: true });
  try {
    return await workOffJobs(store, evaluationWorker(store, evaluator, chainId === MAINNET_CHAIN_ID), options);
  } finally {
    options.signal.removeEventListener('abort', abandon);
    await evaluator.close();
  }
}

function evaluationWorker(
  store: Store,
  evaluator: Evaluator,
  mainnet: boolean,
): JobWorker<'evaluate-token', Result | undefined> {
  return {
    kind: 'evaluate-token',
    task: 'tokens',
    work: (job) => evaluateJob(store, evaluator, job, mainnet),
    settle: oneByOne(settle),
  };
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

/** Stores what an evaluation gave. */
async function settle(store: StoreWriter, job: TokenJob, result: Result | undefined): Promise<Outcome> {
  if (result === undefined) {
    await deleteJob(store, job.jobId);
    return undefined;
  }
  const { token, evaluation } = result;
  await settleAttempt(store, job, isFailure(evaluation) ? evaluation : undefined, { maxAttempts: MAX_ATTEMPTS });
  if (isFailure(evaluation) && evaluation.retryable && job.attempts + 1 < MAX_ATTEMPTS) return 'failed';
  if (isFailure(evaluation)) {
    await settleRefusal(store, token.tokenId, evaluation);
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
  return 'done';
}

/** A token that the VM refuses has no value, unless a node told one, or is still to be asked. */
async function settleRefusal(store: StoreWriter, tokenId: number, refusal: Failure): Promise<void> {
  const hasReadings = (await readToken(store, tokenId))?.readings.length !== 0;
  const pending = (await readPendingWork(store, [tokenId])).get(tokenId) ?? [];
  if (hasReadings || pending.some((work) => work.kind === 'read-values')) return;
  await writeState(store, [tokenId], 'error', refusal);
}
