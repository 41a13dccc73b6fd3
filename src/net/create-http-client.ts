// Makes HTTP clients that connect to the open web and to the hosts that are named, and nowhere else, checked on the address at connect time.
import { type LookupAddress, lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type Failure, FailureError, fail } from '#model/failure.ts';
import { addressLiteralOf, isLocalName, isPublicAddress } from './address-guard.ts';
import { getOverHttp, type HttpClient, type HttpLimits } from './http-client.ts';

/** Looks up every address of a name: `dns.lookup`, or another in a test. */
export type Resolver = (name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface HttpClientOptions {
  readonly limits: HttpLimits;
  /** `host` or `host:port` that are opened besides the open web, for a private gateway or a test. */
  readonly allowedHosts: readonly string[];
  readonly resolver?: Resolver;
}

/** Ports of the open web; anything else is more likely to be a service of somebody's own. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/**
 * The guarded client, for URIs from a chain or a document, is opened by `--allow-host` alone; the trusted one also for the
 * hosts that the operator configured: so a document cannot reach a private gateway, nor a gateway's redirect a private network.
 */
export function createHttpClient({ limits, allowedHosts, resolver = resolveAll }: HttpClientOptions): HttpClient {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const isAllowed = (host: string, port: number) =>
    allowed.has(host.toLowerCase()) || allowed.has(`${host}:${port}`.toLowerCase());

  const connectTo = (lookup: LookupFunction | undefined) =>
    buildConnector({ timeout: limits.connectTimeoutMs, ...(lookup === undefined ? {} : { lookup }) });
  const connectAnywhere = connectTo(undefined);
  const connectGuarded = connectTo(guardedLookup(resolver));
  const dispatcher = new Agent({
    headersTimeout: limits.idleTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connect: (options, callback) => {
      const port = Number(options.port) || (DEFAULT_PORTS[options.protocol] ?? 0);
      if (isAllowed(options.hostname, port)) return connectAnywhere(options, callback);
      // A literal never reaches a resolver, and is checked by itself.
      const refused = checkHost(options.hostname);
      if (refused !== undefined) return callback(new FailureError(refused), null);
      return connectGuarded(options, callback);
    },
  });

  const checkUrl = (url: URL): Failure | undefined => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return fail('unsupported-scheme', `${url.protocol} is not a scheme that is fetched.`);
    }
    if (url.username !== '' || url.password !== '') return fail('credentials-refused');
    const port = Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 0);
    if (isAllowed(url.hostname, port)) return undefined;
    if (!PORTS.has(port)) return fail('port-refused', `Port ${port} of ${url.hostname} is none of the web's.`);
    return checkHost(url.hostname);
  };
  return {
    get: (url, options) => getOverHttp(url, options, limits, dispatcher, checkUrl),
    close: () => dispatcher.close(),
  };
}

function checkHost(host: string): Failure | undefined {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return isPublicAddress(literal) ? undefined : refuse(host, literal);
  return isLocalName(host) ? fail('address-refused', `${host} is a name of the local network.`) : undefined;
}

/** Resolves a name and lets only its public addresses through, in the very look-up that the connection uses. */
function guardedLookup(resolver: Resolver): LookupFunction {
  return (name, options, callback) => {
    resolver(name, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => isPublicAddress(address));
      const first = open[0];
      if (first === undefined) {
        return callback(new FailureError(refuse(name, addresses[0]?.address ?? 'no address')), '', 0);
      }
      if (options.all) return (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, open);
      callback(null, first.address, first.family);
    });
  };
}

function refuse(host: string, address: string): Failure {
  return fail('address-refused', `${host} is at ${address}, which is not on the open web.`);
}

function resolveAll(name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void): void {
  resolve(name, { all: true }, callback);
}
