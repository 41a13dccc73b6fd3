// Names the accounts of programs, and gives them addresses on each network.
import { createHash } from 'node:crypto';
import { c32address } from 'c32check';

export type Network = 'mainnet' | 'testnet' | 'other';
export const CHAIN_IDS: Readonly<Record<Network, number>> = { mainnet: 1, testnet: 0x8000_0000, other: 0x8000_0005 };

/** The name of the account that deployed the boot contracts. Every chain contains them from its first block. */
export const BOOT = 'boot';
const addresses = new Map<string, string>();

export function accountAddress(name: string, network: Network): string {
  const version = network === 'mainnet' ? 22 : 26;
  if (name.endsWith(` ${BOOT}`)) return c32address(version, '00'.repeat(20));
  const key = `${version} ${name}`;
  const address = addresses.get(key) ?? c32address(version, createHash('ripemd160').update(name).digest('hex'));
  addresses.set(key, address);
  return address;
}
