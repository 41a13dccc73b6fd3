// Names a site by its answers: sums of the hashes of their lines, in 256 parts, and one hash of all.

import { hash as hashOnce } from 'node:crypto';

/** SHA-256 of all parts, and of each part its last 16 hex digits. */
export interface SiteHash {
  readonly hash: string;
  readonly buckets: readonly string[];
}

const BUCKETS = 256;
const BITS = 256;
const BUCKET_DIGITS = 16;

/** The part that a path belongs to: the first byte of its SHA-256. */
export function bucketOf(path: string): number {
  return Number.parseInt(sha256(path).slice(0, 2), 16);
}

/** Sums, since a change costs no more than itself: they tell sites apart, and stop nobody who makes up answers. */
export function sumAnswers(stored?: string) {
  const sums = stored === undefined ? Array.from({ length: BUCKETS }, () => 0n) : stored.split(' ').map(fromHex);
  const hex = () => sums.map((sum) => sum.toString(16).padStart(BITS / 4, '0'));
  const change = (path: string, by: bigint) => {
    const bucket = bucketOf(path);
    sums[bucket] = BigInt.asUintN(BITS, (sums[bucket] ?? 0n) + by);
  };
  return {
    /** `hash`: SHA-256 of the answer, hex. */
    add: (path: string, hash: string) => change(path, fromHex(hashOfLine(path, hash))),
    remove: (path: string, hash: string) => change(path, -fromHex(hashOfLine(path, hash))),
    /** What is `stored`, to go on from. */
    toString: () => hex().join(' '),
    end(): SiteHash {
      return { hash: sha256(hex().join('')), buckets: hex().map((sum) => sum.slice(-BUCKET_DIGITS)) };
    },
  };
}

/** Of the line that `sha256sum` prints for a file. */
function hashOfLine(path: string, hash: string): string {
  return sha256(`${hash}  ${path}\n`);
}

function sha256(text: string): string {
  return hashOnce('sha256', text, 'hex');
}

function fromHex(text: string): bigint {
  return BigInt(`0x${text}`);
}
