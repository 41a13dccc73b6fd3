// A map that makes what is missing, and forgets what has not been used for longest.

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
    // A Map keeps the order in which entries were set.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.size > this.#maxEntries ? this.#entries.keys() : [];
    if (oldest !== undefined) this.#entries.delete(oldest);
    return value;
  }
}
