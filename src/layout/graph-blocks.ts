// Says in which block of the call graph a contract is.

import { hash } from 'node:crypto';

/** The first three hex digits of the SHA-256 of the contract id. */
export function graphBlockOf(contractId: string): string {
  return hash('sha256', contractId, 'hex').slice(0, 3);
}
