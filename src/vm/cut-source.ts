// Shortens a source that the VM rejects: removes some top-level expressions, or keeps only the required definitions.
import { atomsOf, definedName, type Expression, headOf, parseSource } from '#clarity/parse-source.ts';

/**
 * Splits a source into definitions and expressions, and returns a function that joins some of them. The parts of a
 * top-level `(begin a b)` are separate expressions.
 */
export function cutSource(source: string) {
  const parts = parseSource(source).flatMap(unwrapBegin);
  return {
    /** The number of expressions that run at deploy time. */
    expressionCount: parts.filter((part) => !isDefinition(part)).length,
    /** Returns a source with all definitions, and the expressions at these indexes, in their original order. */
    withExpressions(indexes: ReadonlySet<number>): string {
      let index = 0;
      return select(source, parts, (part) => isDefinition(part) || indexes.has(index++));
    },
  };
}

/** Returns only the definitions of a source. */
export function definitionsOf(source: string): string {
  return select(source, parseSource(source), isDefinition);
}

const SHARED: ReadonlySet<string> = new Set(['define-public', 'define-read-only', 'define-trait']);

/** Splits a source into definitions, and returns a function that joins some of them. */
export function cutDefinitions(source: string) {
  const definitions = parseSource(source).filter(isDefinition);
  const byName = new Map(definitions.map((definition) => [definedName(definition), definition]));
  const shared = definitions.filter((definition) => SHARED.has(headOf(definition) ?? ''));
  return {
    /** The names of the definitions that other contracts can use. */
    sharedNames: new Set(shared.flatMap((definition) => definedName(definition) ?? [])),
    /** Returns the definitions with these names and, transitively, definitions that they use. Others may be invalid. */
    withNames(names: Iterable<string>): string {
      const needed = new Set([...names].flatMap((name) => byName.get(name) ?? []));
      // The set `needed` grows during the loop.
      for (const definition of needed) {
        for (const { text } of atomsOf([definition])) {
          const used = byName.get(text);
          if (used !== undefined) needed.add(used);
        }
      }
      return select(source, definitions, (definition) => needed.has(definition));
    },
  };
}

/** Returns all names in a source. `.contract.trait` consists of two names. */
export function namesIn(source: string): Set<string> {
  const names = new Set<string>();
  for (const { text } of atomsOf(parseSource(source))) for (const name of text.split('.')) names.add(name);
  return names;
}

/** Returns the expressions in nested `begin` expressions. Does not recurse, since they may be nested to any depth. */
function unwrapBegin(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  const pending = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('items' in next && headOf(next) === 'begin')
      for (const item of next.items.slice(1).toReversed()) pending.push(item);
    else parts.push(next);
  }
  return parts;
}

function isDefinition(expression: Expression): boolean {
  const head = headOf(expression);
  return head !== undefined && (head.startsWith('define-') || head === 'impl-trait' || head === 'use-trait');
}

function select(source: string, parts: readonly Expression[], isSelected: (part: Expression) => boolean): string {
  const selected = parts.filter(isSelected);
  return selected.map(({ start, end }) => source.slice(start, end)).join('\n');
}
