// Finds and sorts the rows of a list with the text of its names file. Parses only the necessary rows.
import type { Search } from './candidate.ts';

/** The searchable values of a row. Name and symbol may be empty. */
type Names = readonly [principal: string, name: string, symbol: string, hasMetadata: boolean];

/** The sort key of a row: rows are sorted by lower case, then by case. Blank keys come last. */
interface Key {
  readonly row: number;
  readonly key: string;
  readonly lower: string;
  readonly isBlank: boolean;
}

/** The separator of rows. A string of JSON cannot contain it, since its quotes are escaped. */
const SEPARATOR = '],["';
/** The number of rows above which sorting all rows once is cheaper. */
const MAX_SORTED = 1_000;

export class NameIndex {
  /** The rows as JSON, without the brackets and the first quote. */
  readonly #texts: readonly string[];
  readonly #lowerTexts: readonly string[];
  readonly #rows: (Names | undefined)[] = [];
  /** Numbers of all rows in sorted order, by column and direction. */
  readonly #orders = new Map<string, readonly number[]>();
  readonly #hasEscapes: boolean;

  /** Takes the text of a names file: a JSON array of rows without white space. */
  constructor(text: string) {
    const rows = text.slice('[["'.length, -']]'.length);
    this.#texts = rows === '' ? [] : rows.split(SEPARATOR);
    this.#lowerTexts = rows === '' ? [] : rows.toLowerCase().split(SEPARATOR);
    this.#hasEscapes = text.includes('\\');
  }

  /** Returns the numbers of the matching rows, sorted. */
  find(search: Search): readonly number[] {
    const { name, symbol, address, withMetadata } = search;
    if (name + symbol + address === '' && !withMetadata) return this.#orderOf(search);
    const [namePart, lowerSymbol] = [name.toLowerCase(), symbol.toLowerCase()];
    const found: number[] = [];
    for (const [row, text] of this.#texts.entries()) {
      const lower = this.#lowerTexts[row] ?? '';
      // Checks the text first, which is cheap. Every matching row passes these checks, and a few other rows.
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

/** The maximum number of indexes: one for this build, and one for the next. */
const MAX_INDEXES = 2;

/** Indexes of names files by digest. */
export class NameIndexes {
  readonly #indexes = new Map<string, NameIndex>();

  get(digest: string | undefined): NameIndex | undefined {
    return digest === undefined ? undefined : this.#indexes.get(digest);
  }

  set(digest: string | undefined, index: NameIndex): void {
    if (digest === undefined) return;
    this.#indexes.set(digest, index);
    const [oldest = ''] = this.#indexes.keys();
    if (this.#indexes.size > MAX_INDEXES) this.#indexes.delete(oldest);
  }
}
