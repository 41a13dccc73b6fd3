// The thread that holds the Clarity VM: evaluates one token a message. It is expendable, since a panic of the VM wedges it.
import { parentPort } from 'node:worker_threads';
import type { Evaluation } from '#model/token.ts';
import { failedAnswer } from '#standards/read-getter-answer.ts';
import { deployDependency, deployToken } from './deploy-partially.ts';
import { findSupplyAssets } from './find-supply-assets.ts';
import type { DeployedSource, EvaluationRequest, WorkerMessage } from './messages.ts';
import { readGetters } from './read-getters.ts';
import { replaceNetworkKeywords } from './replace-network-keywords.ts';
import { Session, VmPanic } from './session.ts';
import { SharedSession } from './share-session.ts';

/** The VM's clock, in ms: it would show through block times, and the same index must give the same answers on every day. */
const VM_TIME_MS = Date.UTC(2021, 0, 14);

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

type Answer = WorkerMessage & { kind: 'done' | 'refused' };

const session = await Session.load();
const shared = new SharedSession();
say({ kind: 'ready' });
let last: Promise<boolean> = Promise.resolve(true);
port.on('message', (request: EvaluationRequest) => {
  last = last.then((isUsable) => isUsable && answer(request));
});

/** Returns whether the next request may follow: if not, the thread is about to be ended. */
async function answer(request: EvaluationRequest): Promise<boolean> {
  try {
    const message = await evaluate(request);
    say(message);
    return message.isReusable;
  } catch (error) {
    if (!(error instanceof VmPanic)) throw error;
    say({ kind: 'crashed', message: error.message });
    return false;
  }
}

/** In the session of those before it where that makes no difference; if the source does not run whole there, in a fresh one. */
async function evaluate(request: EvaluationRequest): Promise<Answer> {
  if (shared.takes(request)) {
    const message = evaluateHere(request);
    const isWhole = message.kind === 'done' && !message.evaluation.partial;
    shared.add(request, isWhole);
    if (isWhole) return message;
  }
  shared.clear();
  await session.reset();
  const message = evaluateHere(request);
  shared.add(request, message.kind === 'done' && !message.evaluation.partial);
  return message;
}

function evaluateHere({ token, dependencies, mainnet, firstScope }: EvaluationRequest): Answer {
  const prepare = (source: DeployedSource): DeployedSource =>
    mainnet ? { ...source, sourceCode: replaceNetworkKeywords(source.sourceCode, source.clarityVersion) } : source;
  const sources = [...dependencies, token].map(prepare);
  for (const [index, dependency] of sources.slice(0, -1).entries()) {
    say({ kind: 'preparing', contractId: dependency.contractId });
    deployDependency(session, dependency, sources.slice(index + 1));
  }
  const deployed = deployToken(session, prepare(token), firstScope, (scope) => say({ kind: 'trying', scope }));
  const { isReusable } = session;
  if ('refusal' in deployed) return { kind: 'refused', message: deployed.refusal, isReusable };

  const partial = deployed.scope !== 'whole';
  const supplyAssets = findSupplyAssets(session.expressionsOf(token.contractId));
  const answers = readGetters(session, token.contractId).flatMap((answer) => {
    if (answer.getter !== 'get-total-supply') return [answer];
    // A sum of events replaces the VM's supply, and without the whole deploy there is nothing that the VM's would be true for.
    if (supplyAssets !== undefined) return [];
    return partial ? [failedAnswer(answer.getter, 'supply-not-known')] : [answer];
  });
  const evaluation: Evaluation = { answers, partial, ...(supplyAssets === undefined ? {} : { supplyAssets }) };
  return { kind: 'done', evaluation, isReusable };
}
