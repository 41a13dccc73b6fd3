// Makes a ServerClient for tests, and servers that send the same response to every request.
import { onTestFinished } from 'vitest';
import { ServerClient, type ServerOptions } from '#net/server-client.ts';
import { type LoopbackServer, loopbackServer } from './loopback-server.ts';

/** JSON text with more nested lists than recursion can handle. */
export const DEEP = '['.repeat(40_000) + ']'.repeat(40_000);

/** Makes a client, and closes it after the test. By default, the client waits up to a second, and has no rate limit. */
export function serverClient(baseUrl: string, options: Partial<ServerOptions> = {}): ServerClient {
  const client = new ServerClient({
    baseUrl,
    secretHeaders: {},
    keyFlag: '--api-key',
    limits: { connectTimeoutMs: 1_000, idleTimeoutMs: 1_000, totalTimeoutMs: 1_000 },
    concurrency: 8,
    requestsPerMinute: undefined,
    patienceMs: 1_000,
    signal: new AbortController().signal,
    ...options,
  });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

/**
 * Starts a server that sends this response to every request, and makes a client for it. A string body is sent
 * unchanged, any other value as JSON.
 */
export async function clientOf(
  status: number,
  body: unknown,
): Promise<{ client: ServerClient; server: LoopbackServer }> {
  const server = await loopbackServer((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { client: serverClient(server.url), server };
}
