// Makes an HTTP client for tests, and servers on loopback that the client may access.
import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import type { GuardOptions } from '#net/guarded-agent.ts';
import { createHttpClient, type GetOptions } from '#net/http-client.ts';
import type { HttpLimits } from '#net/send-request.ts';
import { createWebHosts } from '#net/web-hosts.ts';
import { LIMITS } from './http-limits.ts';
import { loopbackServer } from './loopback-server.ts';

interface ClientOptions extends Partial<HttpLimits> {
  readonly allow?: readonly string[];
  readonly resolver?: GuardOptions['resolver'];
  readonly allowedServers?: GuardOptions['allowedServers'];
}

export const client = ({ allow = [], allowedServers = [], resolver, ...limits }: ClientOptions = {}) => {
  const made = createHttpClient({
    limits: { ...LIMITS, ...limits },
    allowedHosts: allow,
    allowedServers,
    hosts: createWebHosts({ sharedHosts: new Set(), maxFailedMs: Number.POSITIVE_INFINITY }),
    ...(resolver === undefined ? {} : { resolver }),
  });
  onTestFinished(() => made.close());
  return made;
};
export const OPTIONS = { maxBytes: 1_000 };

/** Starts a server. Returns a function `get`, which requests a path of the server with a client that may access it. */
export async function served(listener: RequestListener, limits: Partial<HttpLimits> = {}) {
  const server = await loopbackServer(listener);
  const http = client({ allow: [server.host], ...limits });
  const get = (path: string, overrides: Partial<GetOptions> = {}) =>
    http.get(server.url + path, { ...OPTIONS, ...overrides });
  return { server, get };
}
