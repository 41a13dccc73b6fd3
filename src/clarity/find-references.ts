// Finds the contracts that a Clarity source names in literals: `'SP….name`, `.name`, and the names of traits in
// contracts.
import { isContractId } from '#model/principal.ts';
import { atomsOf, parseSource } from './parse-source.ts';
import { SourceScanner } from './source-scanner.ts';

/**
 * Returns the ids of the contracts that a source names, each once, in source order. `.name` is a contract of the same
 * deployer.
 */
export function findReferences(source: string, deployerAddress: string): string[] {
  const found = new Set<string>();
  for (const { text } of atomsOf(parseSource(source))) {
    const [address, name] = text.split('.');
    if (name === undefined || (address !== '' && !address?.startsWith("'"))) continue;
    const contractId = `${address === '' ? deployerAddress : address?.slice(1)}.${name}`;
    if (isContractId(contractId)) found.add(contractId);
  }
  return [...found];
}

/** Returns the number of atoms, strings and groups in a source. */
export function countExpressions(source: string): number {
  const scanner = new SourceScanner(source);
  let count = 0;
  for (let kind = scanner.next(); kind !== undefined; kind = scanner.next()) if (kind !== ')' && kind !== '}') count++;
  return count;
}
