// Decides who may post to the follower, by address and headers, since nodes have no passwords, and says why not.
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { stop } from '#model/failure.ts';

export interface Refusal {
  readonly reason: 'address' | 'page' | 'host' | 'content-type';
  readonly status: number;
  readonly message: string;
}

/** Throws FailureError `usage`. This machine is always among them. */
export function readAllowed(ranges: readonly string[]): BlockList {
  const allowed = new BlockList();
  allowed.addSubnet('127.0.0.0', 8, 'ipv4');
  allowed.addAddress('::1', 'ipv6');
  for (const range of ranges) {
    const [, address = '', , bits] = /^([^/%]+)(\/(0|[1-9]\d{0,2}))?$/.exec(range) ?? [];
    const isVersion6 = isIP(address) === 6;
    const most = isVersion6 ? 128 : 32;
    const prefix = Number(bits ?? most);
    if (isIP(address) === 0 || prefix > most)
      throw refuse(range, 'It takes an address or a range, such as 10.0.0.0/8 or fd00::/8.');
    const version = isVersion6 ? ipaddr.IPv6 : ipaddr.IPv4;
    const network = version.networkAddressFromCIDR(`${address}/${prefix}`).toString();
    if (ipaddr.parse(address).toString() !== network)
      throw refuse(range, `A range begins with its first address: ${network}/${prefix}, or ${address} alone.`);
    allowed.addSubnet(address, prefix, isVersion6 ? 'ipv6' : 'ipv4');
  }
  return allowed;
}

/** `address`: of a socket, which has none any more once its other end has gone. */
export function isAllowed(allowed: BlockList, address: string | undefined): boolean {
  const plain = address?.replace(/^::ffff:(?=\d+\.)|%.*$/g, '') ?? '';
  const version = isIP(plain);
  return version !== 0 && allowed.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Why no node would post this. A page in a browser on an allowed machine may post, too, but names where it comes from,
 * and no other type than forms have, unless asked; and a name that leads here by DNS rebinding has a dot.
 */
export function refusalOf({ headers }: IncomingMessage, names: readonly string[]): Refusal | undefined {
  const { origin, host = '', 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    return { reason: 'page', status: 403, message: `a page in a browser may not post (${origin ?? site})` };
  if (!isOwn(host, names))
    return { reason: 'host', status: 403, message: `the host ${host} is not known; name it with --allow-name` };
  if (!/^application\/json *(;|$)/i.test(type))
    return { reason: 'content-type', status: 415, message: `content-type is ${type}, and not application/json` };
  return undefined;
}

/** An address, a name without a dot (`localhost`, a container), or one that was given. */
function isOwn(host: string, names: readonly string[]): boolean {
  const [, address = '', name = ''] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(host) ?? [];
  if (isIP(address) === 6 || isIP(name) === 4) return true;
  return name !== '' && (!name.includes('.') || names.includes(name.toLowerCase()));
}

function refuse(range: string, why: string): Error {
  return stop('usage', `--allow-from is ${JSON.stringify(range)}. ${why}`);
}
