// Decides by address and headers whether a request may post to the follower, since nodes send no password.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { stop } from '#model/failure.ts';
import type { Refusal } from './refusal.ts';

/** Returns the allowed addresses: this machine and the ranges. Throws FailureError `usage` for an invalid range. */
export function readAllowed(ranges: readonly string[]): BlockList {
  const allowed = new BlockList();
  allowed.addSubnet('127.0.0.0', 8, 'ipv4');
  allowed.addAddress('::1', 'ipv6');
  for (const range of ranges) {
    const [, address = '', , bits] = /^([^/%]+)(\/(0|[1-9]\d{0,2}))?$/.exec(range) ?? [];
    const isVersion6 = isIP(address) === 6;
    const maxPrefix = isVersion6 ? 128 : 32;
    const prefix = Number(bits ?? maxPrefix);
    if (isIP(address) === 0 || prefix > maxPrefix)
      throw refuse(range, 'Use an address or a range, such as 10.0.0.0/8 or fd00::/8.');
    const version = isVersion6 ? ipaddr.IPv6 : ipaddr.IPv4;
    const network = version.networkAddressFromCIDR(`${address}/${prefix}`).toString();
    if (ipaddr.parse(address).toString() !== network)
      throw refuse(
        range,
        `Use the first address of the range, ${network}/${prefix}, or the single address ${address}.`,
      );
    allowed.addSubnet(address, prefix, isVersion6 ? 'ipv6' : 'ipv4');
  }
  return allowed;
}

/** Returns true if the address may post. `address`: the remote address of a socket; undefined if it was closed. */
export function isAllowed(allowed: BlockList, address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:(?=\d+\.)|%.*$/g, '') ?? '';
  const version = isIP(plain);
  return version !== 0 && allowed.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Returns why a request is rejected; undefined if a node may have sent it. Rejects requests of web pages in browsers on
 * allowed machines. They have an origin, a content type of forms, or a host name with a dot (after DNS rebinding).
 */
export function refusalOf({ headers }: IncomingMessage, names: readonly string[]): Refusal | undefined {
  const { origin, host = '', 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    return { reason: 'page', status: 403, message: `web pages may not post (${origin ?? site})` };
  if (!isKnownHost(host, names))
    return { reason: 'host', status: 403, message: `the host name ${host} is unknown; allow it with --allow-name` };
  if (!/^application\/json *(;|$)/i.test(type))
    return { reason: 'content-type', status: 415, message: `the content type is ${type}, not application/json` };
  return undefined;
}

/** Returns true if the host is an address, has no dot (`localhost`, a container), or is in `names`. */
function isKnownHost(host: string, names: readonly string[]): boolean {
  const [, address = '', name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host) ?? [];
  if (isIP(address) === 6 || isIP(name) === 4) return true;
  return name !== '' && (!name.includes('.') || names.includes(name.toLowerCase()));
}

function refuse(range: string, why: string): Error {
  return stop('usage', `--allow-from is ${JSON.stringify(range)}. ${why}`);
}
