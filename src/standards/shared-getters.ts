// Proves from a collection's source which getters return the same for all of its tokens: those whose function does not
// use its only argument.
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import { type CollectionStandard, gettersOf, type TokenGetter } from '#model/token.ts';

export function sharedGetters(standard: CollectionStandard, source: string): Set<TokenGetter> {
  const definitions = parseSource(source).filter((one) => /^define-(?:read-only|public)$/.test(headOf(one) ?? ''));
  const named = Map.groupBy(definitions, definedName);
  return new Set(gettersOf(standard).filter((getter) => !usesArgument(named.get(getter) ?? [])));
}

/** Also true if it cannot be determined: not one function of the name, or another number of arguments. */
function usesArgument([definition, ...others]: readonly Expression[]): boolean {
  if (others.length > 0) return true;
  const [, signature, ...body] = itemsOf(definition);
  const [, argument, ...more] = itemsOf(signature);
  const name = atomOf(itemsOf(argument)[0]);
  return name === undefined || more.length > 0 || atomsOf(body).some(({ text }) => text === name);
}
