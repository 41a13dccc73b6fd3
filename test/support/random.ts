// Draws integers, choices and bytes from a seed, so that a seed always gives the same data.
import { randomOf } from './faults.ts';

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
