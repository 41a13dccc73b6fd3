// Says which getters of a collection return the same for all of its tokens, by its source.
import { usesArgument } from '#clarity/uses-argument.ts';
import { type CollectionStandard, gettersOf, type TokenGetter } from '#model/token.ts';

/** Those that provably do not use their argument, the token's number. */
export function sharedGetters(standard: CollectionStandard, source: string): Set<TokenGetter> {
  return new Set(gettersOf(standard).filter((getter) => !usesArgument(source, getter)));
}
