// Finds and sorts the rows of a list by the text of its names file. Parses only rows that may match.
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

/** The text between two rows. It cannot occur in a JSON string, where quotes are escaped. */
const SEPARATOR = '],["';
/** The number of found rows above which it is cheaper to sort all rows once and keep their order. */
const MAX_SORTED = 1_000;

export class NameIndex {
  /** The text of each row in JSON, without brackets and without the first quote. */
  readonly #texts: readonly string[];
  readonly #lowerTexts: readonly string[];
  readonly #rows: (Names | undefined)[] = [];
  /** For each column and direction, the numbers of all rows in sorted order. */
  readonly #orders = new Map<string, readonly number[]>();
  readonly #hasEscapes: boolean;

  /** `text` is the content of a names file: a JSON array of rows, without white space. */
  constructor(text: string) {
    const rows = text.slice('[["'.length, -']]'.length);
    this.#texts = rows === '' ? [] : rows.split(SEPARATOR);
    this.#lowerTexts = rows === '' ? [] : rows.toLowerCase().split(SEPARATOR);
    this.#hasEscapes = text.includes('\\');
  }

  /** Returns the numbers of the rows that match a search, in sorted order. */
  find(search: Search): readonly number[] {
    const { name, symbol, address, withMetadata } = search;
    if (name + symbol + address === '' && !withMetadata) return this.#orderOf(search);
    const [namePart, lowerSymbol] = [name.toLowerCase(), symbol.toLowerCase()];
    const found: number[] = [];
    for (const [row, text] of this.#texts.entries()) {
      const lower = this.#lowerTexts[row] ?? '';
      // These checks of the text are cheap. Every matching row passes them, and a few rows that do not match.
      if (!text.startsWith(address) || (withMetadata && !text.endsWith('true'))) continue;
      const isEscaped = this.#hasEscapes && text.includes('\\');
      if (!isEscaped && !(lower.includes(namePart) && lower.includes(lowerSymbol))) continue;
      const [principal, rowName, rowSymbol] = this.#row(row);
      if (!principal.startsWith(address) || !rowName.toLowerCase().includes(namePart)) continue;
      if (lowerSymbol === '' || rowSymbol.toLowerCase() === lowerSymbol) found.push(row);
    }
    if (found.length <= MAX_SORTED) return this.#sort(found, search);
    const isFound = new Set(found);
    return this.#orderOf(search).filter((row) => isFound.has(row));
  }

  principalOf(row: number): string {
    return this.#row(row)[0];
  }

  #orderOf(search: Search): readonly number[] {
    const key = `${search.column} ${search.direction}`;
    const order = this.#orders.get(key) ?? this.#sort([...this.#texts.keys()], search);
    this.#orders.set(key, order);
    return order;
  }

  #sort(rows: readonly number[], { column, direction }: Search): number[] {
    const keys = rows.map((row): Key => {
      const key = this.#row(row)[column];
      return { row, key, lower: key.toLowerCase(), isBlank: key.trim() === '' };
    });
    keys.sort((left, right) => {
      if (left.isBlank || right.isBlank) return Number(left.isBlank) - Number(right.isBlank);
      if (left.lower !== right.lower) return left.lower < right.lower ? -direction : direction;
      return left.key === right.key ? 0 : left.key < right.key ? -direction : direction;
    });
    return keys.map(({ row }) => row);
  }

  #row(row: number): Names {
    const known = this.#rows[row] ?? (JSON.parse(`["${this.#texts[row]}]`) as Names);
    this.#rows[row] = known;
    return known;
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
