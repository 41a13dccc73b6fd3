// Connects to the open web and to hosts that are named, and to nothing else: the address is checked at connect time.
import { type LookupAddress, lookup } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { type Failure, FailureError, fail } from '#model/failure.ts';
import { addressLiteralOf, isLocalName, isPublicAddress } from './address-guard.ts';
import type { HttpLimits } from './send-request.ts';

/** Looks up every address of a name: `dns.lookup`, or another in a test. */
export type Resolver = (name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface GuardOptions {
  readonly limits: HttpLimits;
  /** Hosts outside the open web that may be reached, as a URL parser writes them: `host` or `host:port`. */
  readonly allowedHosts: readonly string[];
  readonly resolver?: Resolver;
}

export interface GuardedAgent {
  readonly dispatcher: Dispatcher;
  /** Why nothing may be sent to a URL. To be asked about each, redirects included. */
  readonly checkUrl: (url: URL) => Failure | undefined;
}

const lookupAll: Resolver = (name, callback) => lookup(name, { all: true }, callback);
/** Ports of web servers; anything else is more likely to be some other service. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

export function createGuardedAgent({ limits, allowedHosts, resolver = lookupAll }: GuardOptions): GuardedAgent {
  const isAllowed = (hostname: string, port: number) => {
    // URLs write IPv6 in brackets, undici's connections do not.
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
    return allowedHosts.includes(host) || allowedHosts.includes(`${host}:${port}`);
  };
  const connectAnywhere = buildConnector({ timeout: limits.connectTimeoutMs });
  const connectGuarded = buildConnector({ timeout: limits.connectTimeoutMs, lookup: guardedLookup(resolver) });
  const dispatcher = new Agent({
    headersTimeout: limits.idleTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    connect: (options, callback) => {
      if (isAllowed(options.hostname, portOf(options))) return connectAnywhere(options, callback);
      // A literal never reaches the resolver.
      const refused = checkHost(options.hostname);
      if (refused !== undefined) return callback(new FailureError(refused), null);
      return connectGuarded(options, callback);
    },
  });

  const checkUrl = (url: URL): Failure | undefined => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return fail('unsupported-scheme', `${url.protocol} is not a scheme that is fetched.`);
    if (url.username !== '' || url.password !== '') return fail('credentials-refused');
    const port = portOf(url);
    if (isAllowed(url.hostname, port)) return undefined;
    if (!PORTS.has(port)) return fail('port-refused', `Port ${port} of ${url.hostname} is none of the web's.`);
    return checkHost(url.hostname);
  };
  return { dispatcher, checkUrl };
}

/** The port that a URL names, or its scheme's own. */
export function portOf({ protocol, port }: { readonly protocol: string; readonly port: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function checkHost(host: string): Failure | undefined {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return isPublicAddress(literal) ? undefined : refuse(host, literal);
  return isLocalName(host) ? fail('address-refused', `${host} is a name of the local network.`) : undefined;
}

/** Lets only the public addresses of a name through, in the very look-up that the connection uses. */
function guardedLookup(resolver: Resolver): LookupFunction {
  return (name, options, callback) => {
    resolver(name, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const open = addresses.filter(({ address }) => isPublicAddress(address));
      const first = open[0];
      if (first === undefined)
        return callback(new FailureError(refuse(name, addresses[0]?.address ?? 'no address')), '', 0);
      if (options.all) return (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, open);
      callback(null, first.address, first.family);
    });
  };
}

function refuse(host: string, address: string): Failure {
  return fail('address-refused', `${host} is at ${address}, which is not on the open web.`);
}
