// Distinguishes public unicast addresses from private networks. ipaddr.js knows the special ranges of both address
// families; it is MIT licensed, small and without dependencies.
import ipaddr from 'ipaddr.js';

/** 2000::/3. */
const GLOBAL_UNICAST = 0x2000;
const GLOBAL_UNICAST_MASK = 0xe000;

/** Names of this machine or its network, whatever they resolve to (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/**
 * True if an address literal is public unicast. IPv6 forms that embed an IPv4 address (mapped, 6to4, NAT64, Teredo) are
 * refused: a public host has an address of its own.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // The IPv6 range assigned to the public Internet, which excludes e.g. IPv4-compatible addresses (RFC 4291).
  return !('parts' in parsed) || ((parsed.parts[0] ?? 0) & GLOBAL_UNICAST_MASK) === GLOBAL_UNICAST;
}

/** The address literal in the host of a URL, without IPv6 brackets; undefined for a name. */
export function addressLiteralOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}
