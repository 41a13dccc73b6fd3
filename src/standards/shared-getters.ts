// Proves from a collection's source which getters return the same for all of its tokens: those whose function does not
// use its only argument.
import { atomsOf, definedName, type Expression, headOf, parseSource } from '#clarity/parse-source.ts';
import { type CollectionStandard, gettersOf, type TokenGetter } from '#model/token.ts';

export function sharedGetters(standard: CollectionStandard, source: string): Set<TokenGetter> {
  const definitions = parseSource(source).filter((one) => /^define-(?:read-only|public)$/.test(headOf(one) ?? ''));
  const named = Map.groupBy(definitions, definedName);
  return new Set(gettersOf(standard).filter((getter) => !usesArgument(named.get(getter) ?? [])));
}

/** Also true if it cannot be determined: not one function of the name, or another number of arguments. */
function usesArgument([definition, ...others]: readonly Expression[]): boolean {
  if (definition === undefined || others.length > 0 || !('items' in definition)) return true;
  const [, signature, ...body] = definition.items;
  const [, argument, ...more] = signature !== undefined && 'items' in signature ? signature.items : [];
  const name = argument !== undefined && 'items' in argument ? argument.items[0] : undefined;
  if (name?.kind !== 'atom' || more.length > 0) return true;
  for (const { text } of atomsOf(body)) if (text === name.text) return true;
  return false;
}
