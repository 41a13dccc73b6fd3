// Thread that holds the Clarity VM: replays one request per message. Expendable, since a VM panic leaves it unusable.
import { parentPort } from 'node:worker_threads';
import type { ReplayRequest, WorkerMessage } from './messages.ts';
import { Replay } from './replay.ts';
import { Session } from './session.ts';

/** Fixed clock of the VM, in ms: block times depend on it, and the same index must give the same answers on any day. */
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
const post = (message: WorkerMessage) => port.postMessage(message);

const session = await Session.load();
let last: Promise<boolean> = Promise.resolve(true);
port.on('message', (request: ReplayRequest) => {
  last = last.then((isUsable) => isUsable && answer(request));
});
post({ kind: 'ready' });

/** Returns true if the next request may follow; if false, the thread is about to be ended. */
async function answer(request: ReplayRequest): Promise<boolean> {
  try {
    await session.reset();
    const replayed = new Replay(session, request, (progress) => post({ kind: 'progress', progress })).run();
    const { isReusable } = session;
    post({ kind: 'done', replayed, isReusable });
    return isReusable;
  } catch (error) {
    post({ kind: 'crashed', message: error instanceof Error ? error.message : String(error) });
    return false;
  }
}
