// Computes hashes of a site's responses, to find out where two sites differ. One hash covers the site, and 256 hashes
// cover parts of it.

import { hash as hashOnce } from 'node:crypto';

/** The hashes of a site. `hash` is the SHA-256 of all sums. `buckets` has the last 16 hex digits of each part's sum. */
export interface SiteHash {
  readonly hash: string;
  readonly buckets: readonly string[];
}

const BUCKETS = 256;
const BITS = 256;
const BUCKET_DIGITS = 16;

/** Returns the number of the part that a path belongs to: the first byte of the path's SHA-256. */
export function bucketOf(path: string): number {
  return Number.parseInt(sha256(path).slice(0, 2), 16);
}

/**
 * Returns functions that add up hashes of responses. A sum is cheap to change and differs between sites, but forged
 * responses could match it. `stored`: the sums to continue from, as `toString` returned them.
 */
export function sumResponses(stored?: string) {
  const sums = stored === undefined ? Array.from({ length: BUCKETS }, () => 0n) : stored.split(' ').map(fromHex);
  const hex = () => sums.map((sum) => sum.toString(16).padStart(BITS / 4, '0'));
  const change = (path: string, by: bigint) => {
    const bucket = bucketOf(path);
    sums[bucket] = BigInt.asUintN(BITS, (sums[bucket] ?? 0n) + by);
  };
  return {
    /** Adds a response. `hash` is its SHA-256 in hex. */
    add: (path: string, hash: string) => change(path, fromHex(hashOfLine(path, hash))),
    remove: (path: string, hash: string) => change(path, -fromHex(hashOfLine(path, hash))),
    /** Returns the sums as text. */
    toString: () => hex().join(' '),
    end(): SiteHash {
      return { hash: sha256(hex().join('')), buckets: hex().map((sum) => sum.slice(-BUCKET_DIGITS)) };
    },
  };
}

/** Returns the SHA-256 of a line in the form that the command `sha256sum` prints for a file. */
function hashOfLine(path: string, hash: string): string {
  return sha256(`${hash}  ${path}\n`);
}

function sha256(text: string): string {
  return hashOnce('sha256', text, 'hex');
}

function fromHex(text: string): bigint {
  return BigInt(`0x${text}`);
}
