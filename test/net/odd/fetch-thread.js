// Reads URLs in a thread with Node's original fetch. In the main thread, the package undici replaces the dispatcher of
// fetch.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', async ({ url, timeoutMs }) => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    parentPort?.postMessage(new Uint8Array(await response.arrayBuffer()));
  } catch {
    parentPort?.postMessage(undefined);
  }
});
