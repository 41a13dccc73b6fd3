// Tells a server of the operator's own network from one on the open web, which is asked politely.
import { lookup } from 'node:dns/promises';
import { addressLiteralOf, isLocalName, isPublicAddress } from './address-guard.ts';

/** True if the host of a URL is, or is at, an address outside the open web. An unknown name counts as public. */
export async function isOwnHost(host: string): Promise<boolean> {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return !isPublicAddress(literal);
  // Names without a dot are those of a machine's own network, or of its containers.
  if (isLocalName(host) || !host.includes('.')) return true;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => !isPublicAddress(address));
}
