// Serves the answers of a function over HTTP on this machine: for hosts that only their owner can run.
import { createServer, type IncomingMessage } from 'node:http';
import { finishReply, type Reply } from './finish-reply.ts';
import { freePort } from './free-port.ts';
import type { RunningHost } from './running-host.ts';

export interface LoopbackOptions {
  /** Sizes in bytes between which the host compresses. */
  readonly compressed: { readonly from: number; readonly to: number };
}

export async function startLoopback(
  answer: (request: IncomingMessage) => Promise<Reply>,
  { compressed }: LoopbackOptions,
): Promise<RunningHost> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request)
      .then((reply) => {
        const { status, headers, body } = finishReply(request, reply, compressed);
        response.writeHead(status, { ...headers }).end(body);
      })
      .catch((error: unknown) => {
        // A test that sees it fails, and says why.
        response.writeHead(500, { 'Content-Type': 'text/plain' });
        response.end(error instanceof Error ? error.stack : String(error));
      });
  });
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, stop };
}
