// Finds tokens and collections in the rows of search/tokens: by symbol first, then by the beginning, then by a part.

/** Kind, principal, name, symbol, thumbnail and callers; what is empty at the end is left out. */
export type TokenRow = readonly [string, string, string?, string?, string?, string?];

export const STANDARDS: Readonly<Record<string, string>> = { ft: 'SIP-010', nft: 'SIP-009', sft: 'SIP-013' };

/** All that fit, sorted by how well they fit, then as {@link sortTokens} does. */
export function findTokens(rows: readonly TokenRow[], text: string): TokenRow[] {
  const asked = fold(text);
  if (asked === '') return [];
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row, asked);
    return rank === undefined ? [] : [{ row, rank }];
  });
  return ranked.sort((left, right) => left.rank - right.rank || compare(left.row, right.row)).map(({ row }) => row);
}

/** By callers, which copies of a known token lack; then by a name and a picture. Nameless collections are last. */
export function sortTokens(rows: readonly TokenRow[]): TokenRow[] {
  return rows.toSorted(compare);
}

function compare(left: TokenRow, right: TokenRow): number {
  return callersOf(right) - callersOf(left) || lacksOf(left) - lacksOf(right);
}

/** How many contracts call it, rounded. */
function callersOf([, , , , , callers = '0']: TokenRow): number {
  return Number(callers) || 0;
}

/** How much a row lacks of what readers know a token by. */
function lacksOf([kind, , name = '', , image = '']: TokenRow): number {
  return (name !== '' ? 0 : kind === 'ft' ? 2 : 4) + (image === '' ? 1 : 0);
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
