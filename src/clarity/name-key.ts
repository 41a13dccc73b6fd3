// Numbers that stand for names of functions and contracts where there are hundreds of thousands of them. Two names may
// have the same number: whoever looks one up finds too much, never too little.

const PRIME = 0x01000193;
const [FIRST_SEED, SECOND_SEED] = [0x811c9dc5, 0x2d358dcc];
/** Keys have 53 bits, as many as a number holds exactly. */
const HIGH_MASK = 0x1f_ffff;

/** FNV-1a, twice. */
function keyOf(text: string): number {
  let low = FIRST_SEED;
  let high = SECOND_SEED;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, PRIME);
    high = Math.imul(high ^ (code + at), PRIME);
  }
  return (high & HIGH_MASK) * 2 ** 32 + (low >>> 0);
}

export function functionKey(contractId: string, functionName: string): number {
  return keyOf(`${contractId} ${functionName}`);
}

/** Of a function that is called on a trait, of whatever contract. */
export function traitFunctionKey(functionName: string): number {
  return keyOf(`* ${functionName}`);
}

/** Of a contract that is named without being called, as an argument may be. */
export function mentionKey(contractId: string): number {
  return keyOf(contractId);
}
