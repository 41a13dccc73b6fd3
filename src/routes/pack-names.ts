// Packs the names of contracts for searching: the names of a block in one text, and counts of digits in name patterns.

import type { SearchRow, StoredBlock } from './search-blocks.ts';

/** The longest shared beginning that one digit in base 36 can express. */
const MAX_SHARED = 35;
/** More values of a run of digits would be as many as names. */
const MAX_VALUES = 100;

/**
 * Returns the id of a block of names and its names. Each name begins with the length that it shares with the name
 * before it, in base 36, and ends with a space and its number of contracts if there are several.
 */
export function packBlock({ id, rows }: StoredBlock): readonly [id: string, names: string] {
  const names = rows.flatMap(([group, ...members]) =>
    typeof members[0] === 'number' ? [] : [{ name: group.toLowerCase(), count: members.length }],
  );
  return [id, packNames(names)];
}

/** Joins names that differ only in case. The names are sorted and contain no commas and spaces. */
export function packNames(names: readonly { readonly name: string; readonly count: number }[]): string {
  const packed: string[] = [];
  let before = '';
  for (const [name, same] of Map.groupBy(names, (entry) => entry.name)) {
    const count = same.reduce((sum, entry) => sum + entry.count, 0);
    const shared = sharedLength(before, name);
    packed.push(`${shared.toString(36)}${name.slice(shared)}${count === 1 ? '' : ` ${count}`}`);
    before = name;
  }
  return packed.join(',');
}

function sharedLength(left: string, right: string): number {
  let length = 0;
  while (length < MAX_SHARED && length < left.length && left[length] === right[length]) length++;
  return length;
}

/** Counts the values of each run of digits in the names of a pattern. */
export class RunCounts {
  /** Null for a run with more than {@link MAX_VALUES} values. */
  readonly #runs: (Map<string, number> | null)[] = [];

  get values(): readonly (Record<string, number> | null)[] {
    return this.#runs.map((counts) => counts && Object.fromEntries(counts));
  }

  /** Passes rows through and counts their names. */
  async *count(pages: AsyncIterable<SearchRow[]>): AsyncGenerator<SearchRow[]> {
    for await (const page of pages) {
      for (const { group } of page) this.#add(group);
      yield page;
    }
  }

  #add(name: string): void {
    for (const [index, [value]] of [...name.matchAll(/\d+/g)].entries()) {
      if (this.#runs.length === index) this.#runs.push(new Map());
      const counts = this.#runs[index];
      if (counts === null || counts === undefined) continue;
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (counts.size > MAX_VALUES) this.#runs[index] = null;
    }
  }
}
