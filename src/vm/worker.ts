// The program of a thread with the Clarity VM, which replays one request per message. The thread cannot be used after a
// panic of the VM.
import { parentPort } from 'node:worker_threads';
import type { ReplayRequest, WorkerMessage } from './messages.ts';
import { Replay } from './replay.ts';
import { Session } from './session.ts';

/**
 * The fixed time of the VM, in ms since the epoch. Block times depend on it, and results must not depend on the day.
 */
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
  last = last.then((isUsable) => isUsable && handle(request));
});
post({ kind: 'ready' });

/** Processes a request. Returns false if the thread cannot process further requests. */
async function handle(request: ReplayRequest): Promise<boolean> {
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
