// Stacks addresses: version byte and hash160 in, c32check text out.
// c32check is the reference implementation of the encoding, MIT, and small.
import { c32address } from 'c32check';
import { DecodeError } from './byte-reader.ts';

/** Versions as c32check knows them: 22 single-sig and 20 multi-sig on mainnet, 26 and 21 on testnet. */
export function addressVersion(hashMode: number, mainnet: boolean): number {
  const singleSig = hashMode === 0;
  if (mainnet) return singleSig ? 22 : 20;
  return singleSig ? 26 : 21;
}

export function encodeAddress(version: number, hash160: Uint8Array): string {
  // c32 has five bits a character: a version above 31 is no address.
  if (version > 31) throw new DecodeError(`address version ${version}`);
  const hex = Buffer.from(hash160).toString('hex');
  const key = `${version}:${hex}`;
  let address = encoded.get(key);
  if (address === undefined) {
    if (encoded.size >= MAX_ENCODED) encoded.clear();
    address = c32address(version, hex);
    encoded.set(key, address);
  }
  return address;
}

/** Deployers come again and again, and an encoding costs as much as decoding the transaction. */
const encoded = new Map<string, string>();
const MAX_ENCODED = 10_000;
