// Finds the names of contracts that contain a text, in the one file that packs all names.
import type { ContractNames } from '#routes/search-blocks.ts';

export interface NameMatch {
  /** The name in lower case. */
  readonly name: string;
  /** The number of contracts with the name, in any case. */
  readonly count: number;
}

/** Finds names with the text, in any case, sorted. Decodes each name once, so the time is linear in the file. */
export function findByPart({ blocks }: ContractNames, text: string): NameMatch[] {
  const part = text.toLowerCase();
  const counts = new Map<string, number>();
  // Two blocks may share a name.
  for (const [, packed] of blocks)
    for (const { name, count } of unpackNames(packed))
      if (name.includes(part)) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => ({ name, count }));
}

/** Yields the names of a block (search/names describes the format). */
export function* unpackNames(packed: string): Generator<NameMatch> {
  let before = '';
  for (const entry of packed === '' ? [] : packed.split(',')) {
    const [rest = '', count = '1'] = entry.slice(1).split(' ');
    before = `${before.slice(0, Number.parseInt(entry[0] ?? '0', 36))}${rest}`;
    yield { name: before, count: Number(count) };
  }
}
