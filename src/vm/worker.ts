// The thread that holds the Clarity VM: evaluates one token a message. It is expendable: a panic of the VM wedges it.
import { parentPort } from 'node:worker_threads';
import { parseSource } from '#clarity/parse-source.ts';
import { type Failure, fail, isFailure } from '#model/failure.ts';
import type { Evaluation } from '#model/token.ts';
import { failedAnswer } from '#standards/read-getter-answer.ts';
import { deployDependency, deployToken } from './deploy-partially.ts';
import { findSupplyAssets } from './find-supply-assets.ts';
import { isIsolated } from './is-isolated.ts';
import type { DeployedSource, EvaluationRequest, Step, WorkerMessage } from './messages.ts';
import { readGetters } from './read-getters.ts';
import { replaceNetworkKeywords } from './replace-network-keywords.ts';
import { Session, VmPanic } from './session.ts';

/** The VM's clock, in ms: it would show in block times, and the same index must give the same answers on every day. */
const VM_TIME_MS = Date.UTC(2021, 0, 14);
/** Of one session, which grows with every deploy. */
const MAX_EVALUATIONS = 100;

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
  const isAlone = !isIsolated(request);
  if (!isAlone && evaluations > 0 && evaluations < MAX_EVALUATIONS && session.canFollow(request)) {
    const result = evaluateHere(request);
    evaluations++;
    if (isWhole(result)) return result;
  }
  await session.reset();
  const result = evaluateHere(request);
  evaluations = !isAlone && isWhole(result) ? 1 : 0;
  return result;
}

function isWhole(result: Evaluation | Failure): boolean {
  return !isFailure(result) && !result.partial;
}

function evaluateHere({ token, dependencies, mainnet, firstScope }: EvaluationRequest): Evaluation | Failure {
  const prepare = (source: DeployedSource): DeployedSource =>
    mainnet ? { ...source, sourceCode: replaceNetworkKeywords(source.sourceCode, source.clarityVersion) } : source;
  const sources = [...dependencies, token].map(prepare);
  for (const [index, dependency] of sources.slice(0, -1).entries()) {
    begin({ contractId: dependency.contractId });
    deployDependency(session, dependency, sources.slice(index + 1));
  }
  const deployed = deployToken(session, prepare(token), firstScope, (scope) => begin({ scope }));
  if ('refusal' in deployed) return fail('clarity-error', `The Clarity VM refuses the contract: ${deployed.refusal}`);

  const partial = deployed.scope !== 'whole';
  const definitions = parseSource(deployed.sourceCode);
  const supplyAssets = findSupplyAssets(definitions);
  const answers = readGetters(session, token.contractId, definitions).flatMap((answer) => {
    if (answer.getter !== 'get-total-supply') return [answer];
    // A sum of events replaces the VM's supply; after a part of the deploy, the VM's is of a state that never was.
    if (supplyAssets !== undefined) return [];
    return partial ? [failedAnswer(answer.getter, 'supply-not-known')] : [answer];
  });
  return { answers, partial, ...(supplyAssets === undefined ? {} : { supplyAssets }) };
}
