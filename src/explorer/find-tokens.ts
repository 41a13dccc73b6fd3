// Finds tokens and collections in the rows of search/tokens: by symbol, then by the beginning of a name, then by a part.

/**
 * Kind, principal, name, symbol, thumbnail, number of addresses whose contracts call it, and number of items; empty
 * columns at the end are omitted.
 */
export type TokenRow = readonly [string, string, string?, string?, string?, string?, string?];

/** The standard of a token, a collection or an item, by kind. */
export const STANDARDS: Readonly<Record<string, string>> = { ft: 'SIP-010', nft: 'SIP-009', sft: 'SIP-013' };

/** Returns all matches, best match first, and then in the order of {@link sortTokens}. */
export function findTokens(rows: readonly TokenRow[], text: string): TokenRow[] {
  const folded = fold(text);
  if (folded === '') return [];
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row, folded);
    return rank === undefined ? [] : [{ row, rank }];
  });
  return ranked.sort((left, right) => left.rank - right.rank || compare(left.row, right.row)).map(({ row }) => row);
}

/** Sorts by callers, which copies of a known token lack; then tokens with a name and a picture come first. */
export function sortTokens(rows: readonly TokenRow[]): TokenRow[] {
  return rows.toSorted(compare);
}

/** Returns the number of addresses whose contracts call the contract of a row. */
export function callersOf([, , , , , callers = '0']: TokenRow): number {
  return Number(callers) || 0;
}

function compare(left: TokenRow, right: TokenRow): number {
  return callersOf(right) - callersOf(left) || missingOf(left) - missingOf(right);
}

/** Weighs the missing name and picture; unnamed collections weigh most. */
function missingOf([kind, , name = '', , image = '']: TokenRow): number {
  return (name !== '' ? 0 : kind === 'ft' ? 2 : 4) + (image === '' ? 1 : 0);
}

/** Returns how well a row matches, 0 best; undefined if it does not match. */
function rankOf([, id, name = '', symbol = '']: TokenRow, text: string): number | undefined {
  const [foldedSymbol, foldedName, foldedId] = [fold(symbol), fold(name), id.toLowerCase()];
  if (foldedSymbol === text || foldedId === text) return 0;
  if (foldedName === text) return 1;
  if (foldedSymbol.startsWith(text)) return 2;
  if (foldedName.startsWith(text)) return 3;
  if (foldedName.includes(text) || foldedSymbol.includes(text)) return 4;
  // Only the name of the contract is searched for a part: addresses contain most short texts.
  return foldedId.startsWith(text) || foldedId.includes(text, foldedId.indexOf('.')) ? 5 : undefined;
}

/** Ignores case and the form of characters in Unicode. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
