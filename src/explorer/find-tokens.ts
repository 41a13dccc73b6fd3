// Finds tokens and collections in the rows of search/tokens: by symbol, by name, and by the name of the contract.
import { foldName } from '#layout/fold-names.ts';
import { BEGIN, matcherOf, PART, WHOLE, WORDS } from './match-name.ts';

/**
 * Kind, principal, name, symbol, thumbnail, number of addresses whose contracts call it, and number of items; empty
 * columns at the end are omitted.
 */
export type TokenRow = readonly [string, string, string?, string?, string?, string?, string?];

/** The standard of a token, a collection or an item, by kind. */
export const STANDARDS: Readonly<Record<string, string>> = { ft: 'SIP-010', nft: 'SIP-009', sft: 'SIP-013' };

/** Returns all matches, best match first, and then in the order of {@link sortTokens}. */
export function findTokens(rows: readonly TokenRow[], typed: string): TokenRow[] {
  if (foldName(typed) === '') return [];
  const rankOf = rankerOf(typed);
  const ranked = rows.flatMap((row) => {
    const rank = rankOf(row);
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

/** The ranks of the symbol in the typed case, and in another case. The other ranks follow: the entire name first. */
const [TYPED_SYMBOL, SYMBOL, NAME] = [0, 1, 2];
const NONE = Number.POSITIVE_INFINITY;

/** Returns a function that ranks a row, 0 best; undefined if it does not match. */
function rankerOf(typed: string): (row: TokenRow) => number | undefined {
  const match = matcherOf(typed);
  const [text, id] = [typed.trim(), foldName(typed)];
  // A text in lower case stands for any case.
  const isCased = text !== text.toLowerCase();
  return ([, principal, name = '', symbol = '']) => {
    const [foldedSymbol, foldedName, foldedId] = [foldName(symbol), foldName(name), foldName(principal)];
    const bySymbol = match(foldedSymbol);
    if (foldedId === id || (bySymbol === WHOLE && !(isCased && symbol !== text))) return TYPED_SYMBOL;
    if (bySymbol === WHOLE) return SYMBOL;
    const dot = foldedId.indexOf('.');
    const contract = foldedId.slice(dot + 1);
    // A part of an address is not a name: addresses contain most short texts.
    const byId = foldedId.startsWith(id) ? BEGIN : foldedId.includes(id, dot) ? PART : NONE;
    const best = Math.min(bySymbol ?? NONE, match(foldedName) ?? NONE, match(contract) ?? NONE, byId);
    if (best !== NONE) return NAME + best;
    return match(`${foldedSymbol}-${foldedName}-${contract}`) === undefined ? undefined : NAME + WORDS;
  };
}
