// Finds getters that return the same value for all tokens of a collection. In the source, their functions do not use
// their argument, the token id.
import { atomOf, atomsOf, definedName, type Expression, headOf, itemsOf, parseSource } from '#clarity/parse-source.ts';
import { type CollectionStandard, gettersOf, type TokenGetter } from '#model/token.ts';

export function sharedGetters(standard: CollectionStandard, source: string): Set<TokenGetter> {
  const definitions = parseSource(source).filter((form) => /^define-(?:read-only|public)$/.test(headOf(form) ?? ''));
  const named = Map.groupBy(definitions, definedName);
  return new Set(gettersOf(standard).filter((getter) => !usesArgument(named.get(getter) ?? [])));
}

/**
 * True if a getter's function uses its argument. Also true if the function is missing, is defined several times, or
 * does not have exactly one argument.
 */
function usesArgument([definition, ...duplicates]: readonly Expression[]): boolean {
  if (duplicates.length > 0) return true;
  const [, signature, ...body] = itemsOf(definition);
  const [, argument, ...more] = itemsOf(signature);
  const name = atomOf(itemsOf(argument)[0]);
  return name === undefined || more.length > 0 || atomsOf(body).some(({ text }) => text === name);
}
