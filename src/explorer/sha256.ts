// Hashes short texts. Browsers lack crypto.subtle on pages that came by plain HTTP from another machine.

const PRIMES: number[] = [];
for (let candidate = 2; PRIMES.length < 64; candidate++)
  if (PRIMES.every((prime) => candidate % prime !== 0)) PRIMES.push(candidate);

const INITIAL = Uint32Array.from(PRIMES.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32);
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** Returns the SHA-256 of a text as hex (FIPS 180-4). */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  // After the text come a bit, zeros, and the length of the text in bits.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = INITIAL.slice();
  for (let start = 0; start < padded.length; start += 64) {
    const words: number[] = [];
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (const [at, constant] of CONSTANTS.entries()) {
      const [w16 = 0, w15 = 0, w7 = 0, w2 = 0] = [16, 15, 7, 2].map((back) => words[at - back]);
      const mixed = w16 + (rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3));
      const word =
        at < 16 ? view.getUint32(start + 4 * at) : mixed + w7 + (rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10));
      words.push(word >>> 0);
      const added = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + constant + word;
      const majority = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + added) >>> 0, c, b, a, (added + majority) >>> 0];
    }
    for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at] ?? 0) + value;
  }
  return Array.from(hash, (value) => value.toString(16).padStart(8, '0')).join('');
}
