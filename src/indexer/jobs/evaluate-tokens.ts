// Jobs that read on-chain values by evaluating the source of deployed contracts in the embedded VM.
import { type Failure, type FailureCode, fail, isFailure } from '#model/failure.ts';
import type { Job } from '#model/job.ts';
import { isCollectionStandard, isUnproven, type NftMode, resultBytes, TOKEN_GETTERS } from '#model/token.ts';
import { readTip } from '#store/chain/blocks.ts';
import { deleteChainFailures, insertChainFailures } from '#store/chain/chain-log.ts';
import { readServedOfDeploys } from '#store/contracts/contracts.ts';
import { readTipEpoch } from '#store/contracts/tip-epoch.ts';
import type { Store, StoreWriter } from '#store/index-database.ts';
import { readInfo, writeInfo } from '#store/index-info.ts';
import {
  queueEvaluated,
  queueHeightDependent,
  queueLimited,
  writeEvaluationInputs,
} from '#store/replay/evaluation-inputs.ts';
import { tokensInOrder, writeStateOfAll } from '#store/tokens/collections.ts';
import { deleteVmReadings, type NewReading, writeReadings } from '#store/tokens/readings.ts';
import { readToken, sharesAll, type Token, writeState, writeSupplyAssets } from '#store/tokens/tokens.ts';
import {
  dropOtherSupplies,
  markNumberedUnproven,
  markOutdatedUnproven,
  writeUntracked,
} from '#store/tokens/unproven-readings.ts';
import { deleteJobs, tokensWithValueJobs } from '#store/work/jobs.ts';
import { Evaluator } from '#vm/evaluator.ts';
import { VM_VERSION } from '#vm/vm-version.ts';
import { finishAll } from '../documents/finish-collections.ts';
import { PlanEvaluator } from '../replay/evaluate-plans.ts';
import { EvaluationGroups } from '../replay/evaluation-groups.ts';
import { planEvaluation } from '../replay/plan-evaluation.ts';
import type { ProvenValues } from '../replay/prove-values.ts';
import { dropJob } from '../runner/end-attempt.ts';
import type { Finished, JobWorker, Outcome } from '../runner/job-worker.ts';
import type { JobContext } from './job-context.ts';

/** The processor time of a run for tokens that exceeded the time limit before, in ms. */
const RETRIES_MS = 60_000;
/** The maximum number of tokens that wait to share a session. With it, 1,000 tokens of a registry use four sessions. */
const PLANNED_AT_ONCE = 256;

export function evaluateTokens(context: JobContext): JobWorker<'evaluate-token', EvaluationResult> | undefined {
  const { store, options, signal, chain } = context;
  if (!options.vm) return undefined;
  const evaluator = options.evaluator ?? new Evaluator(options.vmThreads);
  const end = async () => (options.evaluator === undefined ? evaluator.close() : undefined);
  const groups = new EvaluationGroups(evaluator, new PlanEvaluator(chain, evaluator), chain);
  const retries = { leftMs: RETRIES_MS };
  signal.addEventListener('abort', () => void end(), { once: true });
  return {
    kind: 'evaluate-token',
    task: 'tokens',
    concurrency: PLANNED_AT_ONCE,
    prepare: async (writer) => {
      // A higher limit is a request to evaluate all of these tokens.
      if (await queueLimited(writer, options)) retries.leftMs = Number.POSITIVE_INFINITY;
      await queueOutdated(writer, VM_VERSION);
    },
    work: (job) => evaluateJob(store, groups, job, context, retries),
    bytesOf: (result) =>
      result === undefined || isFailure(result.evaluation) ? 0 : resultBytes(result.evaluation.readings),
    save: (writer, finished) => save(writer, finished, context),
    close: end,
  };
}

/** Queues evaluated tokens for another evaluation if the VM or the tip has changed since the last run. */
export async function queueOutdated(store: StoreWriter, vmVersion: string): Promise<void> {
  const {
    vmVersion: versionBefore = vmVersion,
    tipEpoch: epochBefore,
    tipHeights: heightsBefore,
  } = await readInfo(store);
  const tip = await readTip(store);
  const tipHeights = tip && `${tip.height} ${tip.tenureHeight} ${tip.burnBlockHeight}`;
  const tipEpoch = await readTipEpoch(store);
  if (vmVersion !== versionBefore || tipEpoch !== epochBefore) await queueEvaluated(store);
  else if (tipHeights !== heightsBefore) await queueHeightDependent(store);
  await writeInfo(store, { vmVersion, tipEpoch, tipHeights });
}

/** Failures of getters whose values no calls were replayed for, so that a value of a node is unproven, too. */
const NOT_TRACKED: readonly string[] = ['state-not-replayed', 'too-much-code'] satisfies FailureCode[];

type EvaluationJob = Job<'evaluate-token'>;
export type EvaluationResult = Awaited<ReturnType<typeof evaluateJob>>;
type Evaluated = {
  readonly job: EvaluationJob;
  readonly token: Token;
  readonly hasGap: boolean;
  readonly evaluation: ProvenValues;
};

/**
 * Evaluates the token of a job. Returns undefined if the token is not served; a trigger queues it again later. Also
 * returns undefined for a token that exceeded the time limit before, if `retries` has no time left.
 */
async function evaluateJob(
  store: Store,
  groups: EvaluationGroups,
  job: EvaluationJob,
  { chain, options: { maxCalls, vmTimeoutMs } }: JobContext,
  retries: { leftMs: number },
) {
  const token = await readToken(store, job.tokenId);
  const contract = token === undefined ? undefined : (await readServedOfDeploys(store, [token.deployId]))[0];
  if (token === undefined || contract === undefined) return undefined;
  const isRetry = token.failure?.code === 'vm-timeout';
  if (isRetry && retries.leftMs <= 0) return undefined;
  if (isRetry) retries.leftMs -= vmTimeoutMs;
  const { version } = chain;
  const plan = await groups.plan(() => planEvaluation(chain, contract, maxCalls));
  // The version of the chain data is the one before the evaluation, to detect changes in the meantime.
  const planned = { token, inputs: plan.inputs, hasGap: plan.hasGap, version };
  const evaluation = plan.refusal ?? (await groups.evaluate(plan, vmTimeoutMs, isRetry));
  if (isRetry && !(isFailure(evaluation) && evaluation.code === 'vm-timeout')) retries.leftMs += vmTimeoutMs;
  return { ...planned, evaluation };
}

async function save(
  store: StoreWriter,
  finished: readonly Finished<'evaluate-token', EvaluationResult>[],
  { chain, options: { nft } }: JobContext,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const evaluated: Evaluated[] = [];
  for (const { job, result } of finished) {
    if (result !== undefined) await writeEvaluationInputs(store, job.tokenId, result.inputs);
    if (result === undefined) {
      outcomes.push(await dropJob(store, job));
    } else if (chain.hasChanged(result.inputs.contractIds, result.version)) {
      // Undefined keeps the job, because a contract that the evaluation read has changed in the meantime.
      outcomes.push(undefined);
    } else if (isFailure(result.evaluation)) {
      outcomes.push(await saveFailure(store, job, result.token, result.evaluation, nft));
    } else {
      evaluated.push({ job, token: result.token, hasGap: result.hasGap, evaluation: result.evaluation });
      outcomes.push('done');
    }
  }
  if (evaluated.length > 0) await storeEvaluations(store, evaluated, nft);
  return outcomes;
}

/** Stores evaluations together. Storing them one by one would be slower than the VM, whose threads would wait. */
async function storeEvaluations(store: StoreWriter, evaluated: readonly Evaluated[], nft: NftMode): Promise<void> {
  const deployIds = evaluated.map(({ token }) => token.deployId);
  const contracts = new Map((await readServedOfDeploys(store, deployIds)).map((served) => [served.deployId, served]));
  const readings: NewReading[] = [];
  for (const { token, evaluation } of evaluated) {
    const contractId = contracts.get(token.deployId)?.contractId;
    const supplyAssets = evaluation.supplyAssets?.map((name) => `${contractId}::${name}`);
    await writeSupplyAssets(store, token.tokenId, supplyAssets);
    for (const reading of await withTokenIds(store, token, evaluation)) readings.push(reading);
  }
  const collections = evaluated.filter(({ token }) => isCollectionStandard(token.standard));
  const byGap = Map.groupBy(collections, ({ hasGap }) => hasGap);
  const idsOf = (some: readonly Evaluated[] = []) =>
    some.flatMap(({ token }) => contracts.get(token.deployId)?.contractId ?? []);
  await deleteChainFailures(store, 'supply-incomplete', idsOf(byGap.get(false)));
  const { code, message } = fail('supply-incomplete');
  await insertChainFailures(
    store,
    idsOf(byGap.get(true)).map((subject) => ({ code, subject, message })),
  );
  const tokenIds = evaluated.map(({ token }) => token.tokenId);
  const untracked = evaluated.flatMap(({ token, evaluation }) =>
    evaluation.readings.flatMap(({ getter, tokenNumber, failure }) =>
      tokenNumber === undefined && failure !== undefined && (isUnproven(failure) || NOT_TRACKED.includes(failure.code))
        ? [{ tokenId: token.tokenId, getter }]
        : [],
    ),
  );
  await beginReadings(store, tokenIds, untracked, readings);
  await writeReadings(store, readings);
  const summed = evaluated.filter(({ evaluation, hasGap }) => evaluation.supplyAssets !== undefined && !hasGap);
  await dropOtherSupplies(store, idsOf(summed), { below: (await readTip(store))?.height ?? 0 });
  await finishAll(store, tokenIds, nft);
  await deleteJobs(
    store,
    evaluated.map(({ job }) => job),
  );
}

/**
 * Prepares for new readings. Deletes only VM readings that they do not replace, because a replaced reading counts as
 * changed only if it differs. Marks values from other sources as unproven if known calls are later.
 */
async function beginReadings(
  store: StoreWriter,
  tokenIds: readonly number[],
  untracked: Parameters<typeof writeUntracked>[2],
  readings: readonly NewReading[] = [],
): Promise<void> {
  await deleteVmReadings(store, tokenIds, readings);
  await markOutdatedUnproven(store, tokenIds);
  await markNumberedUnproven(store, tokenIds);
  await writeUntracked(store, tokenIds, untracked);
}

/** Adds token ids to readings. A reading with a token number belongs to that token of the collection. */
async function withTokenIds(store: StoreWriter, token: Token, { readings }: ProvenValues): Promise<NewReading[]> {
  const ids = new Map<string | undefined, number>([[undefined, token.tokenId]]);
  if (readings.some(({ tokenNumber }) => tokenNumber !== undefined)) {
    for await (const page of tokensInOrder(store, token.deployId))
      for (const { tokenId, tokenNumber } of page) ids.set(tokenNumber, tokenId);
  }
  return readings.flatMap(({ tokenNumber, ...reading }) => {
    const tokenId = ids.get(tokenNumber);
    return tokenId === undefined ? [] : [{ ...reading, tokenId }];
  });
}

/** Stores a failure: deletes earlier VM readings of the token and sets its state. */
async function saveFailure(
  store: StoreWriter,
  job: EvaluationJob,
  token: Token,
  failure: Failure,
  nft: NftMode,
): Promise<Outcome> {
  await deleteJobs(store, [job]);
  const { tokenId } = token;
  const untracked = TOKEN_GETTERS.map((getter) => ({ tokenId, getter }));
  await beginReadings(store, [tokenId], untracked);
  const isCollection = isCollectionStandard(token.standard);
  const stored = await readToken(store, tokenId);
  // The failure is not final for the token if a node has returned values, or may still return some.
  if (stored === undefined || (isCollection ? sharesAll(stored) : stored.readings.length > 0)) {
    if (isCollection) await finishAll(store, [tokenId], nft);
  } else if (!(await tokensWithValueJobs(store, [tokenId])).has(tokenId)) {
    await writeState(store, [tokenId], 'error', failure);
    if (isCollection) await writeStateOfAll(store, token.deployId, 'error', failure);
  }
  return 'done';
}
