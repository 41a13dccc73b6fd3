// Tells addresses of the open web, public unicast ones, from those of somebody's own network. ipaddr.js knows the
// special ranges of both address families; MIT, small, without dependencies.
import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** 2000::/3. */
const GLOBAL_UNICAST = 0x2000;
const GLOBAL_UNICAST_MASK = 0xe000;

/** Names of this machine or its network, whatever a resolver makes of them (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/** IPv6 forms that carry an IPv4 address (mapped, 6to4, NAT64, Teredo) are refused: a public host has its own. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // All of IPv6 that is assigned to the open web; IPv4-compatible addresses, among others, are not in it (RFC 4291).
  return !('parts' in parsed) || ((parsed.parts[0] ?? 0) & GLOBAL_UNICAST_MASK) === GLOBAL_UNICAST;
}

/** The address literal that the host of a URL is, without the brackets of IPv6; undefined for a name. */
export function addressLiteralOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}

/** True if the host of a URL is, or is at, an address outside the open web. An unknown name counts as public. */
export async function isOwnHost(host: string): Promise<boolean> {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return !isPublicAddress(literal);
  // Names without a dot are those of a machine's own network, or of its containers.
  if (isLocalName(host) || !host.includes('.')) return true;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => !isPublicAddress(address));
}
