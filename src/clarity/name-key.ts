// Numeric keys for the hundreds of thousands of function and contract names. Two names may share a key, so a lookup may
// find too much, never too little.

const PRIME = 0x01000193;
const [FIRST_SEED, SECOND_SEED] = [0x811c9dc5, 0x2d358dcc];
/** Keys have 53 bits, the exact integers of a number. */
const HIGH_MASK = 0x1f_ffff;

/** FNV-1a, twice. */
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
