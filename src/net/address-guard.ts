// Says which addresses the open web is on: public unicast ones. Everything else is somebody's own network.
// ipaddr.js knows the special ranges of both address families; MIT, small, without dependencies.
import ipaddr from 'ipaddr.js';

/** Names that mean this machine or its network, whatever a resolver would say of them (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/i;

/**
 * Whether an address literal is a public unicast one. IPv6 forms that carry an IPv4 address in them (mapped, 6to4,
 * NAT64, Teredo) are refused as such: a public host has an address of its own.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/** Whether a host of a URL is an address literal; brackets around an IPv6 one are taken off. */
export function addressLiteralOf(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(bare) ? bare : undefined;
}

export function isLocalName(host: string): boolean {
  return LOCAL_NAMES.test(host);
}
