// Draws whole numbers, choices and bytes from a seed, so that what was generated can be generated again.
import { randomOf } from './faults.ts';

export class Random {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomOf(seed);
  }

  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  /** From `least` to `most`, both included. */
  within(least: number, most: number): number {
    return least + this.below(most - least + 1);
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

  /** Short more often than long, and at most `limit`. */
  length(limit: number): number {
    return Math.floor(limit * this.#next() ** 4);
  }

  list<T>(limit: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.below(limit + 1) }, (_, index) => make(index));
  }
}
