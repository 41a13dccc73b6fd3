// Starts HTTP servers on loopback, and records the requested paths.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface LoopbackServer {
  /** The base URL of the server: `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** The host and port of the server: `127.0.0.1:<port>`. */
  readonly host: string;
  readonly port: number;
  /** The paths that were requested so far, oldest first. */
  readonly requests: string[];
}

/**
 * Starts a server. `whenOver` receives a function that closes the server; by default, this function runs after the
 * test.
 */
export async function loopbackServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  whenOver: (close: () => void) => void = onTestFinished,
): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  whenOver(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port, requests };
}
