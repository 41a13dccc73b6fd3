// Distinguishes addresses of the public internet from addresses in private networks. ipaddr.js (MIT, small, no
// dependencies) knows the special ranges of IPv4 and IPv6.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** The range of assigned unicast addresses, 2000::/3. */
const GLOBAL_UNICAST = 0x2000;
const GLOBAL_UNICAST_MASK = 0xe000;

/** Matches names of this machine or its network, which a public server never has (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/**
 * True for a public unicast address. IPv6 addresses that embed an IPv4 address (mapped, 6to4, NAT64, Teredo) are not
 * accepted, since a public host also has an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // An IPv6 address must be in the assigned range, which excludes, for example, IPv4-compatible addresses (RFC 4291).
  return !('parts' in parsed) || ((parsed.parts[0] ?? 0) & GLOBAL_UNICAST_MASK) === GLOBAL_UNICAST;
}

/** Returns the IP address in the host of a URL, without the brackets of IPv6; undefined for a name. */
export function addressLiteralOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}

/**
 * True if the host of a URL is, or resolves to, an address that is not public. A name without an address counts as
 * public.
 */
export async function isPrivateHost(host: string): Promise<boolean> {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return !isPublicAddress(literal);
  // Names without a dot belong to the machine's network, or to its containers.
  if (isLocalName(host) || !host.includes('.')) return true;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => !isPublicAddress(address));
}
