// Connects only to public web servers and to allowed hosts. Checks each address when it connects, so that a changed DNS
// record cannot bypass the check.
import { type LookupAddress, lookup } from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type Failure, FailureError, fail } from '#model/failure.ts';
import { addressLiteralOf, isLocalName, isPublicAddress } from './address-guard.ts';
import { type Connect, MAX_HEADER_BYTES } from './lenient-request.ts';
import { type Connections, type HttpLimits, lookupAnywhere } from './send-request.ts';

/** Looks up all addresses of a name: `dns.lookup`, or a substitute in tests. */
export type Resolver = (name: string, callback: (error: Error | null, addresses: LookupAddress[]) => void) => void;

export interface GuardOptions {
  readonly limits: HttpLimits;
  /** Hosts that are allowed at private addresses, as written by a URL parser: `host` or `host:port`. */
  readonly allowedHosts: readonly string[];
  /** Servers that are allowed at any address. Their subdomains are allowed too, since gateways use one per content. */
  readonly allowedServers?: readonly URL[];
  readonly resolver?: Resolver;
}

const lookupAll: Resolver = (name, callback) => lookup(name, { all: true }, callback);
const HTTPS_PORTS: ReadonlySet<number> = new Set([443, 8443]);
/** Ports of web servers. Other ports probably belong to other services. */
const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

/** Call `dispatcher.destroy()` to close the connections. */
export function createGuardedAgent(options: GuardOptions): Connections {
  const { idleTimeoutMs } = options.limits;
  const limits = { headersTimeout: idleTimeoutMs, bodyTimeout: idleTimeoutMs, maxHeaderSize: MAX_HEADER_BYTES };
  const dispatcher = new Agent({ ...limits, connect: guardedConnector(options, true) });
  return { dispatcher, connect: guardedConnector(options, false), idleTimeoutMs };
}

function guardedConnector(options: GuardOptions, allowH2: boolean): Connect {
  const { limits, allowedHosts, allowedServers = [], resolver = lookupAll } = options;
  const isAllowed = (target: Target, port: number) => {
    // URLs write IPv6 addresses in brackets, but undici does not.
    const host = isIPv6(target.hostname) ? `[${target.hostname}]` : target.hostname;
    const isListed = allowedHosts.includes(host) || allowedHosts.includes(`${host}:${port}`);
    return isListed || allowedServers.some((server) => isPartOf(server, { ...target, hostname: host }));
  };
  const timeout = limits.connectTimeoutMs;
  const connectAnywhere = buildConnector({ timeout, allowH2, lookup: lookupAnywhere });
  const connectGuarded = buildConnector({ timeout, allowH2, lookup: guardedLookup(resolver) });
  return (target, callback) => {
    const port = portOf(target);
    if (isAllowed(target, port)) return connectAnywhere(target, callback);
    // Checks a host that is an address, since only names are looked up and checked by `connectGuarded`.
    const refused = refusalOf(target.hostname, port);
    if (refused !== undefined) return callback(new FailureError(refused), null);
    return connectGuarded(target, callback);
  };
}

type Target = Pick<URL, 'protocol' | 'hostname' | 'port'>;

function portOf({ protocol, port }: Omit<Target, 'hostname'>): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** True for the server and its subdomains, at the same port, or at an HTTPS port if the server redirects to https. */
function isPartOf(server: URL, target: Target): boolean {
  const isSame = target.hostname === server.hostname || target.hostname.endsWith(`.${server.hostname}`);
  const isUpgrade = server.protocol === 'http:' && target.protocol === 'https:' && HTTPS_PORTS.has(portOf(target));
  return isSame && (portOf(target) === portOf(server) || isUpgrade);
}

function refusalOf(host: string, port: number): Failure | undefined {
  if (!PORTS.has(port))
    return fail('port-refused', `Port ${port} of ${host} is not allowed: only 80, 443, 8080 and 8443 are.`);
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return isPublicAddress(literal) ? undefined : notPublic(host, literal);
  return isLocalName(host) ? fail('address-refused', `${host} is a name in the local network.`) : undefined;
}

/** Creates a lookup that returns only the public addresses of a name. The connection uses exactly these addresses. */
function guardedLookup(resolver: Resolver): LookupFunction {
  return (name, options, callback) => {
    resolver(name, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      const publicAddresses = addresses.filter(({ address }) => isPublicAddress(address));
      const first = publicAddresses[0];
      if (first === undefined)
        return callback(new FailureError(notPublic(name, addresses[0]?.address ?? 'no address')), '', 0);
      if (options.all)
        return (callback as unknown as (error: null, addresses: LookupAddress[]) => void)(null, publicAddresses);
      callback(null, first.address, first.family);
    });
  };
}

function notPublic(host: string, address: string): Failure {
  return fail('address-refused', `${host} is at ${address}, which is not on the open web.`);
}
