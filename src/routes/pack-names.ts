// Packs the names of contracts for searching: the names of a block in one text.

import { nameKey } from '#layout/fold-names.ts';
import type { StoredBlock } from './search-blocks.ts';

/** The longest shared beginning that one digit in base 36 can express. */
const MAX_SHARED = 35;

/**
 * Returns the id of a block of names and its names. Each name begins with the length that it shares with the name
 * before it, in base 36, and ends with a space and its number of contracts if there are several.
 */
export function packBlock({ id, rows }: StoredBlock): readonly [id: string, names: string] {
  const names = rows.map(([group, ...members]) => ({ name: nameKey(group), count: members.length }));
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
