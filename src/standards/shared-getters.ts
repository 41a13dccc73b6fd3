// Determines from a collection's source which getters return the same for all of its tokens.
import { usesArgument } from '#clarity/uses-argument.ts';
import { type CollectionStandard, gettersOf, type TokenGetter } from '#model/token.ts';

export function sharedGetters(standard: CollectionStandard, source: string): Set<TokenGetter> {
  return new Set(gettersOf(standard).filter((getter) => !usesArgument(source, getter)));
}
