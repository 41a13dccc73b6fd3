// Tests searches in names files that are long or have unusual characters. Also tests that requests share parsed files.
import { expect, test } from 'vitest';
import type { Search } from '#serving/candidate.ts';
import { NameIndex, NameIndexes } from '#serving/name-index.ts';

type Row = readonly [principal: string, name: string, symbol: string, hasMetadata: boolean];

const ALL: Search = { name: '', symbol: '', address: '', withMetadata: false, column: 1, direction: 1 };

/** Returns the rows that should be found, by a simple search of the parsed rows. */
function expectedRows(rows: readonly Row[], { name, symbol, address, withMetadata, column, direction }: Search) {
  const found = rows.flatMap(([principal, rowName, rowSymbol, hasMetadata], row) => {
    const isFound =
      rowName.toLowerCase().includes(name.toLowerCase()) &&
      (symbol === '' || rowSymbol.toLowerCase() === symbol.toLowerCase()) &&
      principal.startsWith(address) &&
      (hasMetadata || !withMetadata);
    return isFound ? [row] : [];
  });
  const keyOf = (row: number) => rows[row]?.[column] ?? '';
  const compare = (left: string, right: string) => (left < right ? -direction : left > right ? direction : 0);
  return found.sort((left, right) => {
    const [first, second] = [keyOf(left), keyOf(right)];
    if (first.trim() === '' || second.trim() === '') return Number(first.trim() === '') - Number(second.trim() === '');
    return compare(first.toLowerCase(), second.toLowerCase()) || compare(first, second);
  });
}

const SEARCHES: readonly Partial<Search>[] = [
  {},
  { column: 2 },
  { direction: -1 },
  { column: 2, direction: -1 },
  { name: 'TOKEN' },
  { name: 'token', column: 2, direction: -1 },
  { name: 'n-7' },
  { symbol: 's5' },
  { symbol: 's5', name: '5' },
  { address: 'SP2' },
  { address: 'SP1.t-99', direction: -1 },
  { withMetadata: true },
  { withMetadata: true, address: 'SP2', name: '1', symbol: 'S1' },
  { name: 'ας' },
  { name: 'σ' },
];

const LONG: readonly Row[] = Array.from({ length: 5_000 }, (_, index) => [
  `SP${1 + (index % 2)}.t-${index}`,
  index % 50 === 0 ? ' ' : `Token-${(index * 7919) % 5_000}`,
  `S${index % 10}`,
  index % 3 > 0,
]);
const UNUSUAL: readonly Row[] = ['"', '\\', '\n\u0000', 'İ', 'ΑΣ', '\ud800', ''].map((name, index) => [
  `SP1.t-${index}`,
  name,
  index % 2 > 0 ? name : 'S1',
  index % 2 > 0,
]);

test.each([
  ['long', LONG],
  ['unusual', UNUSUAL],
  ['empty', []],
] as const)('finds the same rows in a file as a simple search does: %s', (_, rows) => {
  const index = new NameIndex(JSON.stringify(rows));
  const names = rows.length < 100 ? rows.map(([, name]) => ({ name })) : [];
  const symbols = names.map(({ name }) => ({ symbol: name }));
  for (const partial of [...SEARCHES, ...names, ...symbols]) {
    const search = { ...ALL, ...partial };
    expect([partial, index.find(search)]).toEqual([partial, expectedRows(rows, search)]);
  }
});

test('parses the names of two builds once', () => {
  const names = new NameIndexes();
  const text = (name: string) => JSON.stringify([['SP1.a', name, 'A', true]]);
  const [first, second] = [names.of(text('first')), names.of(text('second'))];
  expect(names.of(text('first'))).toBe(first);
  expect(names.of(text('second'))).toBe(second);
  names.of(text('third'));
  expect(names.of(text('second'))).toBe(second);
  expect(names.of(text('first'))).not.toBe(first);
});
