// Cuts down a source that the VM refuses: drops some top-level expressions, or keeps only the definitions needed.
import { atomsOf, definedName, type Expression, headOf, parseSource } from '#clarity/parse-source.ts';

/** A top-level `(begin a b)` counts as its expressions, so that one failing does not cost the others. */
export function cutSource(source: string) {
  const parts = parseSource(source).flatMap(unwrapBegin);
  return {
    /** Those that run at the deploy. */
    expressionCount: parts.filter((part) => !isDefinition(part)).length,
    /** The definitions and only these expressions, by index, all in their original places. */
    keeping(kept: ReadonlySet<number>): string {
      let index = 0;
      return keep(source, parts, (part) => isDefinition(part) || kept.has(index++));
    },
  };
}

export function definitionsOf(source: string): string {
  return keep(source, parseSource(source), isDefinition);
}

/** The definitions with these names and those that they need, directly or not, for when another cannot be analysed. */
export function cutToNames(source: string, names: Iterable<string>): string {
  const definitions = parseSource(source).filter(isDefinition);
  const byName = new Map(definitions.map((definition) => [definedName(definition), definition]));
  const needed = new Set([...names].flatMap((name) => byName.get(name) ?? []));
  // The set grows during the loop.
  for (const definition of needed) {
    for (const { text } of atomsOf([definition])) {
      const used = byName.get(text);
      if (used !== undefined) needed.add(used);
    }
  }
  return keep(source, definitions, (definition) => needed.has(definition));
}

/** Every name in a source; the parts of `.contract.trait` count separately. */
export function namesIn(source: string): Set<string> {
  const names = new Set<string>();
  for (const { text } of atomsOf(parseSource(source))) for (const name of text.split('.')) names.add(name);
  return names;
}

/** Unwraps nested ones too, without recursion: a source may nest them to any depth. */
function unwrapBegin(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  const open = [expression];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ('items' in next && headOf(next) === 'begin')
      for (const item of next.items.slice(1).toReversed()) open.push(item);
    else parts.push(next);
  }
  return parts;
}

function isDefinition(expression: Expression): boolean {
  const head = headOf(expression);
  return head !== undefined && (head.startsWith('define-') || head === 'impl-trait' || head === 'use-trait');
}

function keep(source: string, parts: readonly Expression[], isKept: (part: Expression) => boolean): string {
  const kept = parts.filter(isKept);
  return kept.map(({ start, end }) => source.slice(start, end)).join('\n');
}
