// Assigns each contract to a block, which is a file with a part of the call graph.
import { fnv1a } from './fnv1a.ts';

/** Returns the block of a contract: the first three of the eight hex digits of the FNV-1a hash of its id. */
export function graphBlockOf(contractId: string): string {
  return fnv1a(contractId).toString(16).padStart(8, '0').slice(0, 3);
}
