// A map that creates missing entries, and drops the least recently used one.

export class RecentMap<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #make: (key: string) => Value;
  readonly #maxEntries: number;

  constructor(maxEntries: number, make: (key: string) => Value) {
    this.#maxEntries = maxEntries;
    this.#make = make;
  }

  get(key: string): Value {
    const value = this.#entries.get(key) ?? this.#make(key);
    // A Map keeps its entries in insertion order.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.size > this.#maxEntries ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }
}
