// Finds JavaScript that CloudFront Functions (runtime 2.0) does not know: Node would run it, and the function fail
// only at the edge.
import { loadPackage } from './load-package.ts';

interface Acorn {
  parse(code: string, options: { ecmaVersion: number; sourceType: 'module'; locations: true }): SyntaxNode;
}

interface SyntaxNode {
  readonly type: string;
  readonly operator?: string;
  readonly param?: unknown;
  readonly loc?: { readonly start: { readonly line: number } };
}

/**
 * Not in the list of what the runtime supports: ES 5.1, and of what came later const, let, async, await, templates,
 * arrows, rest parameters.
 */
const UNKNOWN = new Set(
  `ArrayPattern AssignmentPattern ChainExpression ClassDeclaration ClassExpression ForOfStatement ObjectPattern
  SpreadElement YieldExpression`.split(/\s+/),
);

/** Each with its line. */
export function unknownSyntax(code: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isNode(value)) {
      if (isUnknown(value)) found.push(`${value.operator ?? value.type} in line ${value.loc?.start.line}`);
      Object.values(value).forEach(visit);
    }
  };
  visit(loadPackage<Acorn>('acorn').parse(code, { ecmaVersion: 2025, sourceType: 'module', locations: true }));
  return found;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isUnknown({ type, operator, param }: SyntaxNode): boolean {
  return UNKNOWN.has(type) || operator?.startsWith('??') === true || (type === 'CatchClause' && param === null);
}
