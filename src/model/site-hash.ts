// Computes hashes of a site's responses, to compare sites: one hash of the whole site, and one for each of 256 parts.

import { hash as hashOnce } from 'node:crypto';

/** `hash` is the SHA-256 of all parts. `buckets` has the last 16 hex digits of each part's sum. */
export interface SiteHash {
  readonly hash: string;
  readonly buckets: readonly string[];
}

const BUCKETS = 256;
const BITS = 256;
const BUCKET_DIGITS = 16;

/** Returns the part of a path, which is the first byte of its SHA-256. */
export function bucketOf(path: string): number {
  return Number.parseInt(sha256(path).slice(0, 2), 16);
}

/**
 * Adds up the hashes of responses. A sum allows cheap changes and tells sites apart, but does not detect forged
 * responses. `stored` is a text returned by `toString`, to continue with.
 */
export function sumResponses(stored?: string) {
  const sums = stored === undefined ? Array.from({ length: BUCKETS }, () => 0n) : stored.split(' ').map(fromHex);
  const hex = () => sums.map((sum) => sum.toString(16).padStart(BITS / 4, '0'));
  const change = (path: string, by: bigint) => {
    const bucket = bucketOf(path);
    sums[bucket] = BigInt.asUintN(BITS, (sums[bucket] ?? 0n) + by);
  };
  return {
    /** `hash`: SHA-256 of the response, in hex. */
    add: (path: string, hash: string) => change(path, fromHex(hashOfLine(path, hash))),
    remove: (path: string, hash: string) => change(path, -fromHex(hashOfLine(path, hash))),
    /** Returns the sums as text. */
    toString: () => hex().join(' '),
    end(): SiteHash {
      return { hash: sha256(hex().join('')), buckets: hex().map((sum) => sum.slice(-BUCKET_DIGITS)) };
    },
  };
}

/** Returns the hash of the line that `sha256sum` prints for a file. */
function hashOfLine(path: string, hash: string): string {
  return sha256(`${hash}  ${path}\n`);
}

function sha256(text: string): string {
  return hashOnce('sha256', text, 'hex');
}

function fromHex(text: string): bigint {
  return BigInt(`0x${text}`);
}
