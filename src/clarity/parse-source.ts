// Parses Clarity source into expressions with their offsets. Accepts invalid source, which the VM reports later.

import { SourceScanner } from './source-scanner.ts';

/** A range of offsets in a source, end exclusive. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** An atom or a string. `text` is as written in the source, so a string includes its quotes. */
export interface Token extends SourceRange {
  readonly kind: 'atom' | 'string';
  readonly text: string;
}

/** A list in parentheses, or a tuple in braces. Its range includes the delimiters. */
export interface Group extends SourceRange {
  readonly kind: 'list' | 'tuple';
  readonly items: readonly Expression[];
}

export type Expression = Token | Group;

/** Returns the top-level expressions. A group without a closing delimiter ends at the end of the source. */
export function parseSource(source: string): Expression[] {
  // The expressions whose enclosing group is open. Those at and after `count` belong to closed groups.
  const expressions: Expression[] = [];
  let count = 0;
  // For each open group, its offset in the source, and the index of its first item.
  const [starts, firsts]: [number[], number[]] = [[], []];
  const close = (end: number) => {
    const [start, first] = [starts.pop(), firsts.pop()];
    if (start === undefined || first === undefined) return;
    const items = expressions.slice(first, count);
    count = first;
    expressions[count++] = { kind: source[start] === '(' ? 'list' : 'tuple', items, start, end };
  };
  const scanner = new SourceScanner(source);
  for (let kind = scanner.next(); kind !== undefined; kind = scanner.next()) {
    const { start, end } = scanner;
    if (kind === '(' || kind === '{') {
      starts.push(start);
      firsts.push(count);
    } else if (kind === ')' || kind === '}') close(end);
    else expressions[count++] = { kind, text: source.slice(start, end), start, end };
  }
  while (starts.length > 0) close(source.length);
  return expressions.slice(0, count);
}

/** True for a key of a tuple in braces. A key is not a reference to a function or variable with the same name. */
export function isKey({ kind }: { readonly kind: string }, index: number): boolean {
  return kind === 'tuple' && index % 2 === 0;
}

/** Returns the items of a group that may be evaluated: all items except the keys of a tuple. */
export function evaluatedOf(group: Group): readonly Expression[] {
  return group.kind === 'tuple' ? group.items.filter((_, index) => !isKey(group, index)) : group.items;
}

/** Yields the groups in expressions in source order, each before the groups in it. */
export function* groupsIn(expressions: readonly Expression[]): Generator<Group> {
  const open: Group[] = [];
  const addGroups = (items: readonly Expression[]) => {
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index] as Expression;
      if ('items' in item) open.push(item);
    }
  };
  addGroups(expressions);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    addGroups(next.items);
  }
}

/** Returns the number of atoms, strings and groups in expressions. */
export function countExpressions(expressions: readonly Expression[]): number {
  let count = expressions.length;
  for (const group of groupsIn(expressions)) count += group.items.length;
  return count;
}

/** Yields the atoms of expressions in source order, without the keys of tuples. */
export function* atomsOf(expressions: readonly Expression[]): Generator<Token> {
  const stack = [...expressions].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if ('items' in next) for (const item of evaluatedOf(next).toReversed()) stack.push(item);
    else if (next.kind === 'atom') yield next;
  }
}

/** Returns the first atom of a list: `define-public` of `(define-public (f) …)`. */
export function headOf(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'list' ? atomOf(expression.items[0]) : undefined;
}

/**
 * Returns the name that a definition defines: `get-name` for `(define-read-only (get-name) …)`, `supply` for
 * `(define-data-var supply uint u0)`.
 */
export function definedName(definition: Expression): string | undefined {
  const named = itemsOf(definition)[1];
  return atomOf(named) ?? headOf(named);
}

/** Returns the text of an atom; undefined for a string or a group. */
export function atomOf(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'atom' ? expression.text : undefined;
}

/** Returns the items of a group; empty for an atom or a string. */
export function itemsOf(expression: Expression | undefined): readonly Expression[] {
  return expression !== undefined && 'items' in expression ? expression.items : [];
}
