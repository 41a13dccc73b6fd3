// The thread that holds the Clarity VM: evaluates one token a message. It is expendable: a panic of the VM wedges it.
import { parentPort } from 'node:worker_threads';
import { parseSource } from '#clarity/parse-source.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Evaluation, GetterAnswer, TokenGetter } from '#model/token.ts';
import { failedAnswer } from '#standards/read-getter-answer.ts';
import { deployDependency, deployToken } from './deploy-partially.ts';
import { findSupplyAssets } from './find-supply-assets.ts';
import { isIsolated } from './is-isolated.ts';
import {
  type ChainStep,
  countReads,
  type DeployedSource,
  type EvaluationRequest,
  isCall,
  type Step,
  type WorkerMessage,
} from './messages.ts';
import { readGetters } from './read-getters.ts';
import { replaceNetworkKeywords } from './replace-network-keywords.ts';
import { Session, VmPanic } from './session.ts';
import { withoutGuards } from './without-guards.ts';

/** The VM's clock, in ms: it would show in block times, and the same index must give the same answers on every day. */
const VM_TIME_MS = Date.UTC(2021, 0, 14);
/** A million STX for each sender: on chain they had what they spent. In micro-STX. */
const STX_OF_SENDERS = 1_000_000_000_000n;
/** Type 7 of SIP-005: a result that is (ok …). */
const OK_PREFIX = 0x07;
const SUPPLY: TokenGetter = 'get-total-supply';
/** Of one session, which grows with every deploy. */
const MAX_EVALUATIONS = 100;
/** Of an evaluation that shares a session: each leaves something there, and thousands make every later one slower. */
const MAX_SHARED_READS = 200;

const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args: [] | [number]) {
    super(...((args.length === 0 ? [VM_TIME_MS] : args) as [number]));
  }
  static override now(): number {
    return VM_TIME_MS;
  }
} as DateConstructor;

const port = parentPort;
if (port === null) throw new Error('worker.ts runs in a worker thread only');
const say = (message: WorkerMessage) => port.postMessage(message);
const begin = (step: Step) => say({ kind: 'step', step });

const session = await Session.load();
/** Evaluations in the session, all isolated and of whole sources; 0 where the next needs a fresh one. */
let evaluations = 0;
let last: Promise<boolean> = Promise.resolve(true);
port.on('message', (request: EvaluationRequest) => {
  last = last.then((isUsable) => isUsable && answer(request));
});
say({ kind: 'ready' });

/** Returns whether the next request may follow: if not, the thread is about to be ended. */
async function answer(request: EvaluationRequest): Promise<boolean> {
  try {
    const result = await evaluate(request);
    const { isReusable } = session;
    say({ kind: 'done', result, isReusable });
    return isReusable;
  } catch (error) {
    if (!(error instanceof VmPanic)) throw error;
    say({ kind: 'crashed', message: error.message });
    return false;
  }
}

/** In the session of those before it where that makes no difference; in a fresh one if it does not run whole there. */
async function evaluate(request: EvaluationRequest): Promise<Evaluation | Failure> {
  const isAlone = !isIsolated(request) || countReads(request.reads) > MAX_SHARED_READS;
  if (!isAlone && evaluations > 0 && evaluations < MAX_EVALUATIONS && session.canFollow(request)) {
    const result = run(request);
    evaluations++;
    if (!isFailure(result) && isWhole(result.evaluation)) return result.evaluation;
  }
  await session.reset();
  const result = await evaluateAll(request);
  evaluations = !isAlone && isWhole(result) ? 1 : 0;
  return result;
}

function isWhole(result: Evaluation | Failure): boolean {
  return !isFailure(result) && !result.partial;
}

/** In the state of the session; what diverged is tried again and in the end answered as it was last proven. */
async function evaluateAll(request: EvaluationRequest): Promise<Evaluation | Failure> {
  const first = run(request);
  if (isFailure(first)) return first;
  if (first.diverged.length === 0) return first.evaluation;
  const calls = [...request.dependencies, ...request.later].filter(isCall);
  // The chain let these pass: what guards them needs state that is not there.
  const passed = first.diverged.flatMap((at) => calls[at] ?? []).filter((call) => call.result[0] === OK_PREFIX);
  const unguarded = withoutGuards(request, passed);
  await session.reset();
  const second = run(unguarded);
  const isBetter = !isFailure(second) && second.diverged.length < first.diverged.length;
  const { evaluation, diverged } = isBetter ? second : first;
  const divergedAt = new Map<TokenGetter, number>();
  for (const at of diverged) {
    for (const getter of calls[at]?.feeds ?? []) if (!divergedAt.has(getter)) divergedAt.set(getter, at);
  }
  const keyOf = ({ getter, tokenNumber }: GetterAnswer) => `${getter} ${tokenNumber}`;
  const answers = new Map(evaluation.answers.map((answer) => [keyOf(answer), answer]));
  for (const at of new Set(divergedAt.values())) {
    await session.reset();
    const proven = run(isBetter ? unguarded : request, at);
    if (isFailure(proven)) return proven;
    for (const answer of proven.evaluation.answers)
      if (divergedAt.get(answer.getter) === at) answers.set(keyOf(answer), answer);
  }
  return { ...evaluation, answers: [...answers.values()], divergedAt: Object.fromEntries(divergedAt) };
}

interface Run {
  readonly evaluation: Evaluation;
  /** The calls that did not return what they returned on chain, by their place. */
  readonly diverged: readonly number[];
}

/** Runs what happened on chain, up to a call, and reads the getters. Before the token, only calls are left out. */
function run(
  { token, reads, dependencies, later, mainnet, firstScope }: EvaluationRequest,
  upTo?: number,
): Run | Failure {
  const supplyRead = reads.filter(({ getter, tokenNumbers }) => getter === SUPPLY && tokenNumbers === undefined);
  const getters = reads.map(({ getter }) => getter);
  const prepare = <T extends ChainStep>(step: T): T =>
    mainnet && !isCall(step)
      ? { ...step, sourceCode: replaceNetworkKeywords(step.sourceCode, step.clarityVersion) }
      : step;
  const steps = [...dependencies, token, ...later].map(prepare);
  const hasStx = steps.some((step) => !isCall(step) && step.sourceCode.includes('(stx-'));
  const diverged: number[] = [];
  const rich = new Set<string>();
  let calls = 0;
  let supply: GetterAnswer | undefined;
  let deployed: ReturnType<typeof deployToken> | undefined;
  for (const [index, step] of steps.entries()) {
    if (isCall(step)) {
      if (calls === upTo) {
        if (deployed === undefined) continue;
        break;
      }
      begin({ call: calls });
      if (hasStx && !rich.has(step.senderAddress)) session.giveStx(step.senderAddress, STX_OF_SENDERS);
      rich.add(step.senderAddress);
      const result = step.isSkipped ? undefined : session.replay(step);
      if (result === undefined || Buffer.compare(result, step.result) !== 0) diverged.push(calls);
      calls++;
    } else if (index === dependencies.length) {
      deployed = deployToken(session, step, getters, firstScope, (scope) => begin({ scope }));
      if ('refusal' in deployed)
        return fail('clarity-error', `The Clarity VM refuses the contract: ${deployed.refusal}`);
      // Calls that change it are not followed.
      if (later.length > 0)
        [supply] = readGetters(session, token.contractId, parseSource(deployed.sourceCode), supplyRead);
    } else {
      begin({ contractId: step.contractId });
      const dependents = steps.slice(index + 1).filter((one): one is DeployedSource => !isCall(one));
      deployDependency(session, step, dependents);
    }
  }
  if (deployed === undefined || 'refusal' in deployed) return fail('clarity-error');

  const partial = deployed.scope !== 'whole';
  const definitions = parseSource(deployed.sourceCode);
  const supplyAssets = supplyRead.length === 0 ? undefined : findSupplyAssets(definitions);
  const answers = readGetters(session, token.contractId, definitions, reads).flatMap((answer) => {
    if (answer.getter !== SUPPLY || answer.tokenNumber !== undefined) return [answer];
    // A sum of events replaces the VM's supply; after a part of the deploy, the VM's is of a state that never was.
    if (supplyAssets !== undefined) return [];
    return partial ? [failedAnswer(answer.getter, 'supply-not-known')] : [supply ?? answer];
  });
  return { evaluation: { answers, partial, ...(supplyAssets === undefined ? {} : { supplyAssets }) }, diverged };
}
