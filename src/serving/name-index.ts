// Finds and sorts the rows of a list by its names file.
import type { Search } from './candidate.ts';

/** A row of a names file. Name and symbol may be empty. */
type Names = readonly [principal: string, name: string, symbol: string, hasMetadata: boolean];

/** The key that a row is sorted by: first in lower case, then by case. Rows with a blank key come last. */
interface Key {
  readonly row: number;
  readonly key: string;
  readonly lower: string;
  readonly isBlank: boolean;
}

/** The number of found rows above which it is cheaper to sort all rows once and keep their order. */
const MAX_SORTED = 1_000;

export class NameIndex {
  readonly #rows: readonly Names[];
  /** For each column and direction, the numbers of all rows in sorted order. */
  readonly #orders = new Map<string, readonly number[]>();

  /** `text` is the content of a names file: a JSON array of rows. */
  constructor(text: string) {
    this.#rows = JSON.parse(text) as Names[];
  }

  /** Returns the numbers of the rows that match a search, in sorted order. */
  find(search: Search): readonly number[] {
    const { address, withMetadata } = search;
    const [name, symbol] = [search.name.toLowerCase(), search.symbol.toLowerCase()];
    if (name + symbol + address === '' && !withMetadata) return this.#orderOf(search);
    const isFound = ([principal, rowName, rowSymbol, hasMetadata]: Names) =>
      principal.startsWith(address) &&
      (hasMetadata || !withMetadata) &&
      (symbol === '' || rowSymbol.toLowerCase() === symbol) &&
      rowName.toLowerCase().includes(name);
    const found = new Set<number>();
    for (const [row, names] of this.#rows.entries()) if (isFound(names)) found.add(row);
    if (found.size <= MAX_SORTED) return this.#sort([...found], search);
    return this.#orderOf(search).filter((row) => found.has(row));
  }

  principalOf(row: number): string | undefined {
    return this.#rows[row]?.[0];
  }

  #orderOf(search: Search): readonly number[] {
    const key = `${search.column} ${search.direction}`;
    const order = this.#orders.get(key) ?? this.#sort([...this.#rows.keys()], search);
    this.#orders.set(key, order);
    return order;
  }

  #sort(rows: readonly number[], { column, direction }: Search): number[] {
    const keys = rows.map((row): Key => {
      const key = this.#rows[row]?.[column] ?? '';
      return { row, key, lower: key.toLowerCase(), isBlank: key.trim() === '' };
    });
    keys.sort((left, right) => {
      if (left.isBlank || right.isBlank) return Number(left.isBlank) - Number(right.isBlank);
      if (left.lower !== right.lower) return left.lower < right.lower ? -direction : direction;
      return left.key === right.key ? 0 : left.key < right.key ? -direction : direction;
    });
    return keys.map(({ row }) => row);
  }
}

/** The maximum number of indexes that are kept: one for the current build, and one for the next build. */
const MAX_INDEXES = 2;

/** Keeps the latest {@link NameIndex} objects, by the text of their names file. */
export class NameIndexes {
  readonly #indexes = new Map<string, NameIndex>();

  of(text: string): NameIndex {
    const index = this.#indexes.get(text) ?? new NameIndex(text);
    this.#indexes.set(text, index);
    const [oldest = ''] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES) this.#indexes.delete(oldest);
    return index;
  }
}
