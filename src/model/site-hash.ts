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
export class AnswerSums {
  readonly #sums: bigint[];

  /** `stored`: what {@link toString} gave. */
  constructor(stored?: string) {
    this.#sums = stored === undefined ? Array.from({ length: BUCKETS }, () => 0n) : stored.split(' ').map(fromHex);
  }

  /** `hash`: SHA-256 of the answer, hex. */
  add(path: string, hash: string): void {
    this.#change(path, fromHex(hashOfLine(path, hash)));
  }

  remove(path: string, hash: string): void {
    this.#change(path, -fromHex(hashOfLine(path, hash)));
  }

  toString(): string {
    return this.#hex().join(' ');
  }

  end(): SiteHash {
    const sums = this.#hex();
    return { hash: sha256(sums.join('')), buckets: sums.map((sum) => sum.slice(-BUCKET_DIGITS)) };
  }

  #change(path: string, by: bigint): void {
    const bucket = bucketOf(path);
    this.#sums[bucket] = BigInt.asUintN(BITS, (this.#sums[bucket] ?? 0n) + by);
  }

  #hex(): string[] {
    return this.#sums.map((sum) => sum.toString(16).padStart(BITS / 4, '0'));
  }
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
