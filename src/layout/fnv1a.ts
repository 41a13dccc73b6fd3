// Hashes short texts, in Node and in browsers. Texts with a chosen hash are easy to find.

/** Returns the 32-bit FNV-1a hash of an ASCII text. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
