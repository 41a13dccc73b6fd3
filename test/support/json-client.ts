// Creates a JsonClient for tests, and servers with a single response.
import { onTestFinished } from 'vitest';
import { JsonClient } from '#net/json-client.ts';
import type { ServerOptions } from '#net/polite-host.ts';
import { type LoopbackServer, loopbackServer } from './loopback-server.ts';

/** JSON text that is nested too deep for recursion. */
export const DEEP = '['.repeat(40_000) + ']'.repeat(40_000);

/**
 * Creates a client, which is closed after the test. By default it waits up to a second, and does not limit the rate.
 */
export function jsonClient(baseUrl: string, options: Partial<ServerOptions> = {}): JsonClient {
  const client = new JsonClient({
    baseUrl,
    secretHeaders: {},
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
 * Returns a client of a server that sends this response to every request: a string unchanged, and any other value as
 * JSON.
 */
export async function clientOf(status: number, body: unknown): Promise<{ client: JsonClient; server: LoopbackServer }> {
  const server = await loopbackServer((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { client: jsonClient(server.url), server };
}
