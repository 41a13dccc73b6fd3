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
      return join(
        source,
        parts.filter((part) => isDefinition(part) || kept.has(index++)),
      );
    },
  };
}

export function definitionsOf(source: string): string {
  return join(source, parseSource(source).filter(isDefinition));
}

/** The definitions with these names and those that they need, directly or not, for when another cannot be analysed. */
export function cutToNames(source: string, names: Iterable<string>): string {
  const definitions = parseSource(source).filter(isDefinition);
  const byName = new Map<string, Expression>();
  for (const definition of definitions) {
    const name = definedName(definition);
    if (name !== undefined) byName.set(name, definition);
  }
  const needed = new Set<Expression>();
  const open: Expression[] = [...names].flatMap((name) => byName.get(name) ?? []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (needed.has(next)) continue;
    needed.add(next);
    for (const { text } of atomsOf([next])) {
      const used = byName.get(text);
      if (used !== undefined && !needed.has(used)) open.push(used);
    }
  }
  return join(
    source,
    definitions.filter((definition) => needed.has(definition)),
  );
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

function join(source: string, parts: readonly Expression[]): string {
  return parts.map((part) => source.slice(part.start, part.end)).join('\n');
}
