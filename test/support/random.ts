// Draws integers, choices and bytes from a seed, so that a seed always gives the same data.

/** Returns a function that returns a random number from 0 to 1 (mulberry32). The same seed gives the same numbers. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomOf(seed);
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** Returns an integer from `min` to `max`, inclusive. */
  within(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  chance(share: number): boolean {
    return this.#next() < share;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  /** Returns an integer from 0 to `limit` - 1 for a length. Small integers are more likely. */
  length(limit: number): number {
    return Math.floor(limit * this.#next() ** 4);
  }

  list<T>(limit: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(limit + 1) }, (_, index) => make(index));
  }
}
