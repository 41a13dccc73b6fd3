// Computes numeric keys for hundreds of thousands of names of functions and contracts. Different names may share a key,
// so a lookup by key may find too many.

const PRIME = 0x01000193;
const [FIRST_SEED, SECOND_SEED] = [0x811c9dc5, 0x2d358dcc];
/** Masks the upper 21 bits of a key. Keys have 53 bits, the range in which a number is an exact integer. */
const HIGH_MASK = 0x1f_ffff;

/** Returns a key of 53 bits, made of two FNV-1a hashes of the text. */
export function keyOf(text: string): number {
  let low = FIRST_SEED;
  let high = SECOND_SEED;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, PRIME);
    high = Math.imul(high ^ (code + at), PRIME);
  }
  return (high & HIGH_MASK) * 2 ** 32 + (low >>> 0);
}
