// A JsonClient for tests, and a server that gives one answer to whatever it is asked.
import { onTestFinished } from 'vitest';
import { JsonClient } from '#net/json-client.ts';
import type { ServerOptions } from '#net/polite-host.ts';
import { type LoopbackServer, loopbackServer } from './loopback-server.ts';

/** JSON text that nests as deep as a recursion cannot go. */
export const DEEP = '['.repeat(40_000) + ']'.repeat(40_000);

/** Closed when the test is over; patient for a second, and as fast as the server unless `options` say otherwise. */
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

/** A client of a server that answers everything with this; a text is sent as it is, anything else as JSON. */
export async function clientOf(status: number, body: unknown): Promise<{ client: JsonClient; server: LoopbackServer }> {
  const server = await loopbackServer((_, response) => {
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { client: jsonClient(server.url), server };
}
