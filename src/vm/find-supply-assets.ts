// Finds the assets in a token's source whose minted minus burned amounts are the token's supply.
import { atomOf, definedName, type Expression, headOf, itemsOf } from '#clarity/parse-source.ts';

/**
 * Returns the fungible tokens whose supplies `get-total-supply` adds up. Its body must be `(ok E)`, where E is
 * `ft-get-supply` or a sum of such calls; otherwise returns undefined. For example,
 * SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token adds its locked asset.
 */
export function findSupplyAssets(definitions: readonly Expression[]): string[] | undefined {
  const getter = definitions.find(
    (definition) =>
      definedName(definition) === 'get-total-supply' && /^define-(?:read-only|public)$/.test(headOf(definition) ?? ''),
  );
  const [body, ...extraItems] = itemsOf(getter).slice(2);
  const [sum, ...extraOperands] = itemsOf(body).slice(1);
  return headOf(body) === 'ok' && extraItems.length + extraOperands.length === 0 ? assetsOf(sum) : undefined;
}

function assetsOf(expression: Expression | undefined): string[] | undefined {
  const head = headOf(expression);
  const operands = itemsOf(expression).slice(1);
  if (head === 'ft-get-supply') {
    const asset = operands.length === 1 ? atomOf(operands[0]) : undefined;
    return asset === undefined ? undefined : [asset];
  }
  if (head !== '+' || operands.length === 0) return undefined;
  const assets = operands.map(assetsOf);
  return assets.every((asset) => asset !== undefined) ? assets.flat() : undefined;
}
