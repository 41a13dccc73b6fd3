// Cuts a source that the VM refuses down to parts of it: without some top-level expressions, or to the definitions that the getters need.
import { atomsOf, type Expression, headOf, parseSource } from '#clarity/parse-source.ts';
import { TOKEN_GETTERS } from '#model/token.ts';

export interface CutSource {
  /** `define-…`, `impl-trait` and `use-trait`, in the order of the source. */
  readonly definitions: readonly string[];
  /** The other top-level expressions: what runs at the deploy, in the order of the source. */
  readonly expressions: readonly string[];
  /** The source with only these of `expressions`, by index, in their places. */
  keeping(expressions: ReadonlySet<number>): string;
}

export function cutSource(source: string): CutSource {
  const parts = parseSource(source).map((expression) => ({
    text: source.slice(expression.start, expression.end),
    isDefinition: isDefinition(expression),
  }));
  const definitions = parts.filter((part) => part.isDefinition).map((part) => part.text);
  const expressions = parts.filter((part) => !part.isDefinition).map((part) => part.text);
  return {
    definitions,
    expressions,
    keeping(kept) {
      let index = 0;
      return parts
        .filter((part) => part.isDefinition || kept.has(index++))
        .map((part) => part.text)
        .join('\n');
    },
  };
}

/** The definitions that the token's getters need, directly or not: what is left when another part of the contract cannot be analysed here. */
export function cutToGetters(source: string): string {
  const definitions = parseSource(source).filter(isDefinition);
  const byName = new Map<string, Expression>();
  for (const definition of definitions) {
    const name = nameOf(definition);
    if (name !== undefined) byName.set(name, definition);
  }
  const needed = new Set<Expression>();
  const open: Expression[] = TOKEN_GETTERS.flatMap((getter) => byName.get(getter) ?? []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (needed.has(next)) continue;
    needed.add(next);
    for (const { text } of atomsOf([next])) {
      const used = byName.get(text);
      if (used !== undefined && !needed.has(used)) open.push(used);
    }
  }
  return definitions
    .filter((definition) => needed.has(definition))
    .map((definition) => source.slice(definition.start, definition.end))
    .join('\n');
}

function isDefinition(expression: Expression): boolean {
  const head = headOf(expression);
  return head !== undefined && (head.startsWith('define-') || head === 'impl-trait' || head === 'use-trait');
}

/** `get-name` of `(define-read-only (get-name) …)` and `supply` of `(define-data-var supply uint u0)`. */
function nameOf(definition: Expression): string | undefined {
  const named = 'items' in definition ? definition.items[1] : undefined;
  if (named === undefined) return undefined;
  if ('items' in named) return headOf(named);
  return named.text;
}
