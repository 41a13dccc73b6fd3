// Assigns each contract to a block, which is a file with a part of the call graph.

import { hash } from 'node:crypto';

/** Returns the block of a contract: the first three hex digits of the SHA-256 of its id. */
export function graphBlockOf(contractId: string): string {
  return hash('sha256', contractId, 'hex').slice(0, 3);
}
