// Distinguishes servers in the operator's own network from public ones, which are rate-limited.
import { lookup } from 'node:dns/promises';
import { addressLiteralOf, isLocalName, isPublicAddress } from './address-guard.ts';

/** True if the host of a URL is, or resolves to, a non-public address. An unknown name counts as public. */
export async function isOwnHost(host: string): Promise<boolean> {
  const literal = addressLiteralOf(host);
  if (literal !== undefined) return !isPublicAddress(literal);
  // A name without a dot belongs to the machine's own network or its containers.
  if (isLocalName(host) || !host.includes('.')) return true;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.some(({ address }) => !isPublicAddress(address));
}
