// Writes an archive of mainnet with so many contracts that a build uses several threads.
import { writeFileSync } from 'node:fs';
import { blockOfDeploys, unsignedDeploy } from '../../../scripts/unsigned-deploy.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { addressOf, TEST_KEY } from '../../support/observer-lines.ts';

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
      return unsignedDeploy(idOf(at), source, index, at % 10 === 0 ? TOKEN_INTERFACE : EMPTY_INTERFACE);
    });
    lines.push(blockOfDeploys(height, deploys));
  }
  writeFileSync(path, lines.join(''));
  return path;
}

function idOf(at: number): string {
  return `${addressOf(TEST_KEY)}.contract-${at}`;
}
