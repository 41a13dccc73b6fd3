// An HTTP server on loopback for tests, with the requests that came.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly port: number;
  /** Paths that were asked for, in order. */
  readonly requests: string[];
}

/** Until the test is over, or until `whenOver` says so. */
export async function loopbackServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  whenOver: (close: () => void) => void = onTestFinished,
): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, requests };
}
