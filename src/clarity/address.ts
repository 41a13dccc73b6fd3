// Encodes standard principals as Stacks addresses, a text form named c32check. The package c32check (MIT) is its small
// reference implementation.
import { c32address } from 'c32check';
import QuickLRU from 'quick-lru';
import { DecodeError } from './byte-reader.ts';

/** The decoded form of an address (SIP-005, "Clarity Value Representation"). */
export interface StandardPrincipal {
  readonly version: number;
  /** 40 hex digits. */
  readonly hash160: string;
}

/**
 * Returns the version of an address. On mainnet it is 22 for a public key (P2PKH) and 20 for a script; on testnet 26
 * and 21.
 */
export function addressVersion(hashMode: number, mainnet: boolean): number {
  const singleSig = hashMode === 0;
  if (mainnet) return singleSig ? 22 : 20;
  return singleSig ? 26 : 21;
}

export const HASH160_BYTES = 20;
/** The largest version that fits one c32 character, which has five bits. */
export const MAX_ADDRESS_VERSION = 31;

/**
 * Addresses that were encoded before, by principal. Addresses recur, and encoding one takes as long as decoding a
 * transaction.
 */
const encoded = new QuickLRU<string, string>({ maxSize: 5_000 });

export function encodeAddress({ version, hash160 }: StandardPrincipal): string {
  if (version > MAX_ADDRESS_VERSION) throw new DecodeError(`address version ${version}`);
  const key = `${version}:${hash160}`;
  let address = encoded.get(key);
  if (address === undefined) {
    address = c32address(version, hash160);
    encoded.set(key, address);
  }
  return address;
}

/** Encodes a principal from its bytes: the version, then the hash160. */
export function encodePrincipal(principal: Buffer): string {
  return encodeAddress({ version: principal[0] as number, hash160: principal.toString('hex', 1) });
}
