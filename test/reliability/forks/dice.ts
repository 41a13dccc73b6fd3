// Draws whole numbers, choices and chances from a seed.
import { randomOf } from '../../support/faults.ts';

export interface Dice {
  /** From 0 to below `limit`. */
  below(limit: number): number;
  /** From `least` to `most`, both included. */
  within(least: number, most: number): number;
  chance(share: number): boolean;
  oneOf<T>(items: readonly T[]): T;
}

export function diceOf(seed: number): Dice {
  const random = randomOf(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    below,
    within: (least, most) => least + below(most - least + 1),
    chance: (share) => random() < share,
    oneOf: (items) => items[below(items.length)] as (typeof items)[number],
  };
}
