// Finds the traits that a source implements and uses: takes text, returns trait identifiers `SP….contract.trait`.
import { SourceScanner } from './source-scanner.ts';

/** Matches `'SP….contract.trait` and `.contract.trait`. */
const TRAIT = /^(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*\.[a-zA-Z][a-zA-Z0-9_-]*)$/;

/** Returns each trait once, sorted. */
export function findTraits(source: string, deployerAddress: string) {
  const traitsBehind = (form: 'impl-trait' | 'use-trait') => {
    const scanner = new SourceScanner(source);
    const traits = new Set<string>();
    while (scanner.nextAtomWith(form)) {
      if (scanner.text !== form) continue;
      if (form === 'use-trait') scanner.next(); // The alias.
      const match = scanner.next() === 'atom' ? TRAIT.exec(scanner.text) : null;
      if (match !== null) traits.add(`${match[1] ?? deployerAddress}.${match[2]}`);
    }
    return [...traits].sort();
  };
  return { implemented: traitsBehind('impl-trait'), used: traitsBehind('use-trait') };
}
