// Says whether a token of a collection is burned, as far as the collection's status names those that are.
import type { CollectionStatus } from './answers.ts';

/** Undefined where the collection has more burned tokens than are named. */
export function isBurned({ tokens, burned }: CollectionStatus, number: string): boolean | undefined {
  if (burned.includes(number)) return true;
  return tokens.burned > burned.length && BigInt(number) > BigInt(burned.at(-1) ?? 0) ? undefined : false;
}
