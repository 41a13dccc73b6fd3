// Writes an archive of mainnet with so many contracts that a build uses several threads.
import { writeFileSync } from 'node:fs';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { deployJson, lineAt } from '../../support/transactions.ts';

const PER_BLOCK = 100;
/** A comment that makes sources long enough to be stored compressed. */
const PADDING = ';; what a contract says of itself\n'.repeat(8);

/**
 * Writes deploys of contracts named `contract-0`, `contract-1` and so on. Every tenth contract is a token. Returns the
 * path.
 */
export function writeManyContracts(path: string, count: number): string {
  const lines: string[] = [];
  for (let height = 0; height * PER_BLOCK < count; height++) {
    const size = Math.min(PER_BLOCK, count - height * PER_BLOCK);
    const deploys = Array.from({ length: size }, (_, index) => {
      const at = height * PER_BLOCK + index;
      const source = `${PADDING}(define-constant n u${at})\n`;
      return deployJson(`contract-${at}`, source, { interface: at % 10 === 0 ? TOKEN_INTERFACE : EMPTY_INTERFACE });
    });
    lines.push(lineAt(height, deploys));
  }
  writeFileSync(path, lines.join(''));
  return path;
}
