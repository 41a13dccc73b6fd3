// Finds the names of contracts that contain a text, in the one file that packs all names.
import type { ContractNames, NamePattern } from '#routes/search-blocks.ts';

export interface NameMatch {
  /** The name in lower case. */
  readonly name: string;
  /** The number of contracts with the name, in any case. */
  readonly count: number;
  /** The block of search/contracts that contains their ids. */
  readonly block: string;
}

export interface PatternMatch {
  readonly pattern: string;
  readonly count: number;
}

export interface PartMatches {
  /** Sorted by name. */
  readonly names: readonly NameMatch[];
  /** Patterns of generated names, such as `bns-#-v#`, that `names` excludes. */
  readonly patterns: readonly PatternMatch[];
  /** The number of contracts. */
  readonly total: number;
  /** False if patterns may contain more contracts than counted. */
  readonly isExact: boolean;
}

/** Finds names with the text, in any case. Decodes each name once, so the time is linear in the file. */
export function findByPart({ blocks, patterns }: ContractNames, text: string): PartMatches {
  const part = text.toLowerCase();
  const names = blocks.flatMap(([block, packed]) =>
    [...unpackNames(packed)].flatMap((entry) => (entry.name.includes(part) ? [{ ...entry, block }] : [])),
  );
  const counted = patterns.map((pattern) => ({ pattern: pattern[0], count: countInPattern(pattern, part) }));
  const matching = counted.flatMap(({ pattern, count }) => (count ? [{ pattern, count }] : []));
  const total = [...names, ...matching].reduce((sum, { count }) => sum + count, 0);
  return { names, patterns: matching, total, isExact: counted.every(({ count }) => count !== undefined) };
}

/** Yields the names of a block (search/names describes the format). */
export function* unpackNames(packed: string): Generator<{ readonly name: string; readonly count: number }> {
  let before = '';
  for (const entry of packed === '' ? [] : packed.split(',')) {
    const [rest = '', count = '1'] = entry.slice(1).split(' ');
    before = `${before.slice(0, Number.parseInt(entry[0] ?? '0', 36))}${rest}`;
    yield { name: before, count: Number(count) };
  }
}

/** Returns undefined if the pattern lacks the counts for the digits of the text. */
function countInPattern([pattern, size, runs]: NamePattern, part: string): number | undefined {
  const folded = part.replaceAll(/\d+/g, '#');
  const digits = part.match(/\d+/g) ?? [];
  if (digits.length === 0) return pattern.includes(part) ? size : 0;
  const places = placesOf(pattern, folded);
  if (places.length === 0) return 0;
  const [place = 0] = places;
  // The number of runs of digits before the text.
  const counts = runs[pattern.slice(0, place).split('#').length - 1];
  if (places.length > 1 || digits.length > 1 || !counts) return undefined;
  const [value = ''] = digits;
  const [isAtStart, isAtEnd] = [folded.startsWith('#'), folded.endsWith('#')];
  return Object.entries(counts).reduce((sum, [run, count]) => {
    const isMatch = isAtStart
      ? isAtEnd
        ? run.includes(value)
        : run.endsWith(value)
      : isAtEnd
        ? run.startsWith(value)
        : run === value;
    return isMatch ? sum + count : sum;
  }, 0);
}

function placesOf(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}
