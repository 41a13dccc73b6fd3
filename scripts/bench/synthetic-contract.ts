// Sources of any length that compress as real ones do, and interfaces to match.

const MEDIAN_BYTES = 4_500;
/** Of a logarithmic normal distribution with 77 KB at the 99th percentile: ln(77,000 / 4,500) / 2.326. */
const SPREAD = 1.22;
const LARGEST_BYTES = 416_000;
/** A function of the interface for each of so many bytes of source: an interface has about 1.3 KB on average. */
const BYTES_PER_FUNCTION = 1_500;

/** A length as those of mainnet's sources are distributed. */
export function sourceBytes(random: () => number): number {
  // Box and Muller: two even numbers give a normal one.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.min(LARGEST_BYTES, MEDIAN_BYTES * Math.exp(SPREAD * normal));
}

/** Words of the language, and names that differ. */
export function sourceOf(comment: string, bytes: number, random: () => number): string {
  const parts = [`;; ${comment}\n`];
  for (let length = 0, at = 0; length < bytes; at++) {
    const part = `(define-public (function-${at} (amount uint) (to principal)) (begin (asserts! (> amount u${Math.floor(random() * 1e6)}) (err u${at})) (ok (map-set balances to amount))))\n`;
    parts.push(part);
    length += part.length;
  }
  return parts.join('').slice(0, Math.max(1, bytes));
}

/** Of a source of so many bytes. */
export function interfaceOf(bytes: number): unknown {
  const functions = Array.from({ length: Math.ceil(bytes / BYTES_PER_FUNCTION) }, (_, at) => ({
    name: `function-${at}`,
    access: 'public',
    args: [
      { name: 'amount', type: 'uint128' },
      { name: 'to', type: 'principal' },
    ],
    outputs: { type: { response: { ok: 'bool', error: 'uint128' } } },
  }));
  return {
    functions,
    variables: [],
    maps: [],
    fungible_tokens: [],
    non_fungible_tokens: [],
    epoch: 'Epoch25',
    clarity_version: 'Clarity2',
  };
}
