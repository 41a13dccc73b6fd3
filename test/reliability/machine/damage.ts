// Overwrites bytes of a file with wrong values, as a bad disk might, at offsets that depend on a seed.
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { Random } from '../../support/random.ts';

/**
 * The numbers of bytes to damage at an offset: a byte, a database cell, a disk sector, and more than a database page.
 */
const SIZES = [1, 16, 512, 6_000] as const;
const MAX_PLACES = 4;

interface Damage {
  readonly offset: number;
  readonly size: number;
}

/** Damages a file between the offsets `from` and `to`. Returns the damaged ranges, for messages. */
export function damageFile(path: string, seed: number, { from = 0, to = Number.POSITIVE_INFINITY } = {}): Damage[] {
  const random = new Random(seed);
  const file = openSync(path, 'r+');
  try {
    const end = Math.min(to, fstatSync(file).size);
    const size = Math.min(SIZES[seed % SIZES.length] as number, end - from);
    const places = Array.from({ length: random.within(1, MAX_PLACES) }, () => ({
      offset: from + random.below(end - from - size + 1),
      size,
    }));
    for (const { offset } of places) {
      const bytes = Buffer.alloc(size);
      readSync(file, bytes, 0, size, offset);
      // XOR with a number other than 0 changes every byte.
      for (let at = 0; at < size; at++) bytes[at] = (bytes[at] as number) ^ random.within(1, 255);
      writeSync(file, bytes, 0, size, offset);
    }
    return places;
  } finally {
    closeSync(file);
  }
}
