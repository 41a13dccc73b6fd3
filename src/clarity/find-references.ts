// Finds the contracts that the code of a contract names in literals: `'SP….name`, `.name`, and the names of traits in
// contracts.
import { isContractId } from '#model/principal.ts';
import { atomsOf, type Expression } from './parse-source.ts';

/**
 * Returns the ids of the contracts that code names, each once, in source order. `.name` is a contract of the same
 * deployer.
 */
export function findReferences(code: readonly Expression[], deployerAddress: string): string[] {
  const found = new Set<string>();
  for (const { text } of atomsOf(code)) {
    const [address, name] = text.split('.');
    if (name === undefined || (address !== '' && !address?.startsWith("'"))) continue;
    const contractId = `${address === '' ? deployerAddress : address?.slice(1)}.${name}`;
    if (isContractId(contractId)) found.add(contractId);
  }
  return [...found];
}
