// Writes a mainnet archive with more contracts than one thread stages.
import { writeFileSync } from 'node:fs';
import { blockOfDeploys, unsignedDeploy } from '../../../scripts/unsigned-deploy.ts';
import { EMPTY_INTERFACE, TOKEN_INTERFACE } from '../../support/interfaces.ts';
import { addressOf, TEST_KEY } from '../../support/observer-lines.ts';

const PER_BLOCK = 100;
/** Padding that makes the code long enough for compression. */
const PADDING = ';; what a contract says of itself\n'.repeat(8);

/** Writes contracts named `contract-0`, `contract-1` and so on. Every tenth is a token. */
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
