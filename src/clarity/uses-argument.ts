// Analyses the syntax tree of a source to prove that a function does not use its only argument.
import { atomsOf, definedName, headOf, parseSource } from './parse-source.ts';

/** Also true if it cannot be determined: no such function, or another number of arguments. */
export function usesArgument(source: string, functionName: string): boolean {
  const definitions = parseSource(source).filter(
    (one) => definedName(one) === functionName && /^define-(?:read-only|public)$/.test(headOf(one) ?? ''),
  );
  const [definition] = definitions;
  if (definitions.length !== 1 || definition === undefined || !('items' in definition)) return true;
  const [, signature, ...body] = definition.items;
  const [, argument, ...more] = signature !== undefined && 'items' in signature ? signature.items : [];
  const name = argument !== undefined && 'items' in argument ? argument.items[0] : undefined;
  if (name?.kind !== 'atom' || more.length > 0) return true;
  for (const { text } of atomsOf(body)) if (text === name.text) return true;
  return false;
}
