// Finds the contracts that a source may call by name, by its text alone: quickly, and rather too many than too few.

const CALL = 'contract-call?';
/** `'SP….name` or `.name`. */
const LITERAL = /(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*)/g;

/** `source`: UTF-8. */
export function findCalledContracts(source: Uint8Array, deployerAddress: string): string[] {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (!bytes.includes(CALL)) return [];
  const found = new Set<string>();
  for (const [, address = deployerAddress, name] of bytes.toString('latin1').matchAll(LITERAL))
    found.add(`${address}.${name}`);
  return [...found];
}
