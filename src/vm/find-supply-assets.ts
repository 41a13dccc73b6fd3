// Finds out from the VM's syntax tree whether a token's supply is what was minted less what was burned, and of which of its assets.
import type { SdkExpression } from './session.ts';

type Node = { readonly Atom?: unknown; readonly List?: readonly { readonly expr: Node }[] };

/**
 * Names of the fungible tokens whose sum the getter answers, if its body is `(ok E)` with E one `ft-get-supply` or a sum of
 * them (SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token adds its locked asset); else undefined.
 */
export function findSupplyAssets(expressions: readonly SdkExpression[]): string[] | undefined {
  for (const { expr } of expressions as unknown as readonly { expr: Node }[]) {
    const [define, signature, body, ...more] = itemsOf(expr);
    if (!isAtom(define, 'define-read-only') && !isAtom(define, 'define-public')) continue;
    if (!isAtom(itemsOf(signature)[0], 'get-total-supply')) continue;
    const [ok, sum, ...rest] = itemsOf(body);
    if (more.length > 0 || rest.length > 0 || !isAtom(ok, 'ok')) return undefined;
    return assetsOf(sum);
  }
  return undefined;
}

function assetsOf(node: Node | undefined): string[] | undefined {
  const [head, ...operands] = itemsOf(node);
  if (isAtom(head, 'ft-get-supply')) {
    const asset = operands[0]?.Atom;
    return operands.length === 1 && asset !== undefined ? [String(asset)] : undefined;
  }
  if (!isAtom(head, '+') || operands.length === 0) return undefined;
  const assets = operands.map(assetsOf);
  return assets.every((asset) => asset !== undefined) ? assets.flat() : undefined;
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.List?.map((item) => item.expr) ?? [];
}

function isAtom(node: Node | undefined, text: string): boolean {
  return node?.Atom !== undefined && String(node.Atom) === text;
}
