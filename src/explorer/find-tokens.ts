// Finds tokens and collections in the rows of search/tokens: by symbol first, then by the beginning, then by a part.
import { splitContractId } from '#model/principal.ts';

/** Kind, principal, name, symbol and thumbnail; what is empty at the end is left out. */
export type TokenRow = readonly [string, string, string?, string?, string?];

/** Standards by kind of row. */
export const STANDARDS: Readonly<Record<string, string>> = { ft: 'SIP-010', nft: 'SIP-009', sft: 'SIP-013' };

/** All that fit, sorted by how well they fit, then by how much is known of them, then as they come. */
export function findTokens(rows: readonly TokenRow[], text: string): TokenRow[] {
  const asked = fold(text);
  if (asked === '') return [];
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row, asked);
    return rank === undefined ? [] : [{ row, rank }];
  });
  return ranked
    .sort((left, right) => left.rank - right.rank || lacksOf(left.row) - lacksOf(right.row))
    .map(({ row }) => row);
}

/** Those with a name and a picture first, and collections without a name last. */
export function sortTokens(rows: readonly TokenRow[]): TokenRow[] {
  return rows.toSorted((left, right) => lacksOf(left) - lacksOf(right));
}

/** How much a row lacks of what readers know a token by. */
function lacksOf([kind, id, name = '', symbol = '', image = '']: TokenRow): number {
  const isNamed = name !== '' && (kind !== 'ft' || symbol !== '' || name !== splitContractId(id).name);
  return (isNamed ? 0 : kind === 'ft' ? 2 : 4) + (image === '' ? 1 : 0);
}

function rankOf([, id, name = '', symbol = '']: TokenRow, asked: string): number | undefined {
  const [foldedSymbol, foldedName, foldedId] = [fold(symbol), fold(name), id.toLowerCase()];
  if (foldedSymbol === asked || foldedId === asked) return 0;
  if (foldedName === asked) return 1;
  if (foldedSymbol.startsWith(asked)) return 2;
  if (foldedName.startsWith(asked)) return 3;
  if (foldedName.includes(asked) || foldedSymbol.includes(asked)) return 4;
  // An address has every short text in it somewhere.
  return foldedId.startsWith(asked) || foldedId.includes(asked, foldedId.indexOf('.')) ? 5 : undefined;
}

/** Whatever its case, and its form in Unicode. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
