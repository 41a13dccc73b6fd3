// Finds the traits that a source implements and uses: takes text, returns trait identifiers `SP….contract.trait`.
import { matchesBehind } from './matches-behind.ts';

/** Matches the rest of `use-trait alias 'SP….contract.trait` or `impl-trait .contract.trait`. */
const TRAIT = /(?:\s+[^\s();'.]+)?\s+(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*\.[a-zA-Z][a-zA-Z0-9_-]*)/y;

/** Each trait once, sorted. */
export function findTraits(source: string, deployerAddress: string) {
  const traitsBehind = (word: string) => {
    const matches = matchesBehind(word, source, TRAIT);
    return [...new Set(matches.map(([, address = deployerAddress, name]) => `${address}.${name}`))].sort();
  };
  return { implemented: traitsBehind('impl-trait'), used: traitsBehind('use-trait') };
}
