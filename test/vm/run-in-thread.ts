// Runs a module in a thread. A session of the VM changes the globals of its thread.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** Returns the first message of a module in this folder, which receives `data` as its worker data. */
export async function runInThread(module: string, data?: unknown): Promise<unknown> {
  const worker = new Worker(new URL(module, import.meta.url), { workerData: data, stderr: true });
  const [message] = await once(worker, 'message');
  await worker.terminate();
  return message;
}
