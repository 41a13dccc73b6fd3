// Reads the syntax tree of a source file.
import { parseAst } from 'vitest/node';

type SyntaxNode = Readonly<Record<string, unknown>> & { readonly start: number; readonly end: number };

/** Yields all nodes of the syntax tree, parents before their children. */
export function* nodesOf(source: string, isJsx: boolean): Generator<SyntaxNode> {
  const open: unknown[] = [parseAst(source, { lang: isJsx ? 'tsx' : 'ts' })];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    yield node as SyntaxNode;
    for (const child of Object.values(node).toReversed()) open.push(child);
  }
}
