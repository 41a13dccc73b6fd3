// Computes the hash of a site's responses, to find out whether two sites are equal.

import { hash as hashOnce } from 'node:crypto';

const BITS = 256;

/**
 * Returns functions that add up hashes of responses. A sum is cheap to change and differs between sites, but forged
 * responses could match it. `stored`: the sum to continue from, as `end` returned it.
 */
export function sumResponses(stored = '0') {
  let sum = fromHex(stored);
  const change = (by: bigint) => {
    sum = BigInt.asUintN(BITS, sum + by);
  };
  return {
    /** Adds a response. `hash` is its SHA-256 in hex. */
    add: (path: string, hash: string) => change(fromHex(hashOfLine(path, hash))),
    remove: (path: string, hash: string) => change(-fromHex(hashOfLine(path, hash))),
    /** Returns the sum, which is the hash of the site. */
    end: () => sum.toString(16).padStart(BITS / 4, '0'),
  };
}

/** Returns the SHA-256 of a line in the form that the command `sha256sum` prints for a file. */
function hashOfLine(path: string, hash: string): string {
  return hashOnce('sha256', `${hash}  ${path}\n`, 'hex');
}

function fromHex(text: string): bigint {
  return BigInt(`0x${text}`);
}
