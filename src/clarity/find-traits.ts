// Finds the traits that a source implements and uses: takes text, returns trait identifiers `SP….contract.trait`.
import { outsideCode } from './outside-code.ts';

export interface Traits {
  readonly implemented: readonly string[];
  readonly used: readonly string[];
}

const KEYWORD = '-trait';
const IMPLEMENTED = 'impl';
const USED = 'use';
/** Matches the rest of `use-trait alias 'SP….contract.trait` or `impl-trait .contract.trait`. */
const TRAIT = /-trait(?:\s+[^\s();'.]+)?\s+(?:'([0-9A-Z]{28,41}))?\.([a-zA-Z][a-zA-Z0-9_-]*\.[a-zA-Z][a-zA-Z0-9_-]*)/y;

/** Each trait once, sorted. */
export function findTraits(source: string, deployerAddress: string): Traits {
  const implemented = new Set<string>();
  const used = new Set<string>();
  const isOutsideCode = outsideCode(source);
  for (let at = source.indexOf(KEYWORD); at !== -1; at = source.indexOf(KEYWORD, at + 1)) {
    const found = source.endsWith(IMPLEMENTED, at) ? implemented : source.endsWith(USED, at) ? used : undefined;
    TRAIT.lastIndex = at;
    const match = found === undefined ? null : TRAIT.exec(source);
    if (match !== null && !isOutsideCode(at)) found?.add(`${match[1] ?? deployerAddress}.${match[2]}`);
  }
  return { implemented: [...implemented].sort(), used: [...used].sort() };
}
