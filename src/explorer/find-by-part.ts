// Finds names of contracts that match a text, in the one file that packs all names.
import { foldName, nameKey } from '#layout/fold-names.ts';
import type { ContractNames } from '#routes/search-blocks.ts';
import { matcherOf } from './match-name.ts';

export interface PackedName {
  /** The name in lower case. */
  readonly name: string;
  /** The number of contracts with the name, in any case. */
  readonly count: number;
}

export interface NameMatch extends PackedName {
  /** The ids of the blocks of search/contracts that have the addresses. */
  readonly blocks: readonly string[];
}

/** Finds names, best match first, then sorted. Decodes each name once, so the time is linear in the file. */
export function findByPart({ blocks }: ContractNames, typed: string): NameMatch[] {
  const match = matcherOf(typed);
  const found: { name: string; count: number; blocks: string[]; rank: number }[] = [];
  for (const [id, packed] of blocks)
    for (const { name, count } of unpackNames(packed)) {
      const last = found.at(-1);
      if (last?.name === name) {
        // The block before ends with the same name.
        last.blocks.push(id);
        last.count += count;
        continue;
      }
      const rank = match(foldName(name));
      if (rank !== undefined) found.push({ name, count, blocks: [id], rank });
    }
  return found.sort((left, right) => left.rank - right.rank);
}

/** Yields the names of a block (search/names describes the format). */
export function* unpackNames(packed: string): Generator<PackedName> {
  let before = '';
  for (const entry of packed === '' ? [] : packed.split(',')) {
    const [rest = '', count = '1'] = entry.slice(1).split(' ');
    before = `${before.slice(0, Number.parseInt(entry[0] ?? '0', 36))}${rest}`;
    yield { name: before, count: Number(count) };
  }
}

/** The minimum number of names in a series. */
const MIN_SERIES = 5;

/**
 * Groups the names of a numbered series, such as `wrapper-1` to `wrapper-90`, in the order of their first names. Short
 * series stay ungrouped.
 */
export function groupSeries<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  const series = Map.groupBy(items, (item) => nameKey(nameOf(item)).replaceAll(/\d+/g, '0'));
  const groups = new Map<Item, Item[]>();
  for (const names of series.values()) {
    const [first] = names;
    if (first !== undefined && names.length >= MIN_SERIES) groups.set(first, names);
    else for (const name of names) groups.set(name, [name]);
  }
  return items.flatMap((item) => {
    const group = groups.get(item);
    return group === undefined ? [] : [group];
  });
}
