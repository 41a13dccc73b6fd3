// Tests slices of a list, with searches and sort orders. Also tests them while a build replaces the list's files.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { handleRequest } from '#serving/handle-request.ts';
import { SITE_RULES } from '#site/site-rules.ts';

const LIST = '/metadata/v1/ft';

test('cuts the same slices as Array.slice', async () => {
  const slice = fc.record({
    total: fc.integer({ min: 0, max: 200 }),
    limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(20, 60)), { nil: undefined }),
    offset: fc.option(
      fc.oneof(
        fc.integer({ min: 0, max: 250 }),
        fc.constantFrom(0, 20, 60, 120, 180),
        fc.integer({ max: 999_999_999, min: 0 }),
      ),
      { nil: undefined },
    ),
  });
  await fc.assert(
    fc.asyncProperty(slice, async ({ total, limit, offset }) => {
      const list = Array.from({ length: total }, (_, index) => index);
      const query = new URLSearchParams({
        ...(limit === undefined ? {} : { limit: String(limit) }),
        ...(offset === undefined ? {} : { offset: String(offset) }),
      });
      const files = filesOf(list);
      const { status, body, read } = await requestOf(files, query);
      expect(status).toBe(200);
      const [from, count] = [offset ?? 0, limit ?? 20];
      expect(body).toEqual({ limit: count, offset: from, total, results: list.slice(from, from + count) });
      // A slice needs three files at most: the manifest and two pages of the largest size.
      expect(read.length).toBeLessThanOrEqual(3);
      expect(new Set(read).size).toBe(read.length);
    }),
    { numRuns: 300 },
  );
});

test('finds and sorts rows like the public API', async () => {
  const text = fc.oneof(fc.constantFrom('', ' ', 'Wrapped BTC', 'wbtc', 'É', 'é', 'ﬀ'), fc.string({ maxLength: 3 }));
  // One deployer's address is the beginning of the other one's.
  const [short, long] = [`SP${'0'.repeat(26)}`, `SP${'0'.repeat(27)}`];
  const rows = fc.array(
    fc.record({ name: text, symbol: text, deployer: fc.constantFrom(short, long), hasMetadata: fc.boolean() }),
    { maxLength: 150 },
  );
  const ask = fc.record(
    {
      name: text,
      symbol: text,
      address: fc.constantFrom('', short, long, `${short}.t-1`, `${long}9`),
      valid_metadata_only: fc.constantFrom('true', 'false', ''),
      order_by: fc.constantFrom('name', 'symbol', ''),
      order: fc.constantFrom('asc', 'desc', ''),
      limit: fc.constantFrom('20', '60', '7'),
      offset: fc.constantFrom('0', '20', '13'),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(rows, ask, async (tokens, asked) => {
      const list = tokens.map(({ deployer, ...names }, index) => ({
        contract_principal: `${deployer}.t-${index}`,
        ...names,
      }));
      const files = filesOf(list);
      const { status, body } = await requestOf(files, new URLSearchParams(asked));
      expect(status).toBe(200);

      const { name = '', symbol = '', address = '', order, order_by, valid_metadata_only } = asked;
      const found = list.filter(
        (row) =>
          row.name.toLowerCase().includes(name.toLowerCase()) &&
          (symbol === '' || row.symbol.toLowerCase() === symbol.toLowerCase()) &&
          row.contract_principal.startsWith(address) &&
          (valid_metadata_only !== 'true' || row.hasMetadata),
      );
      const isFound = name + symbol + address !== '' || valid_metadata_only === 'true';
      const isSorted = order_by === 'symbol' || order === 'desc' || isFound;
      const key = (row: (typeof list)[number]) => (order_by === 'symbol' ? row.symbol : row.name);
      const shown = found.filter((row) => key(row).trim() !== '');
      const compare = (left: string, right: string) => Number(left > right) - Number(left < right);
      const sorted = shown.toSorted(
        (left, right) => compare(key(left).toLowerCase(), key(right).toLowerCase()) || compare(key(left), key(right)),
      );
      // In descending order, too, rows with equal keys stay in the order of the list.
      const turned = order === 'desc' ? [...Map.groupBy(sorted, key).values()].reverse().flat() : sorted;
      const all = isSorted ? [...turned, ...found.filter((row) => !shown.includes(row))] : list;
      const [from, count] = [Number(asked.offset ?? 0), Number(asked.limit ?? 20)];
      expect(body).toEqual({ limit: count, offset: from, total: all.length, results: all.slice(from, from + count) });
    }),
    { numRuns: 300 },
  );
});

describe('while a build replaces its files', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      contract_principal: `SP1.${String(index).padStart(3, '0')}`,
      name: String(index),
      symbol: `S${index}`,
    }));
  const before = filesOf(rows(100));
  const after = filesOf([{ contract_principal: 'SP1.new', name: '', symbol: 'NEW' }, ...rows(100)]);
  const [names, first, second] = ['names', 'pages/60/0', 'pages/60/60'].map(
    (name) => `metadata/v1/ft/${name}.json`,
  ) as [string, string, string];
  /** Returns the old files of the list, with the new content of these files. */
  const between = (...replaced: readonly string[]) =>
    new Map([...before, ...replaced.map((name) => [name, after.get(name) ?? ''] as const)]);

  test.each([
    ['symbol=S42', first],
    ['symbol=S42', names],
    ['order=desc', first],
  ])('a search never returns another token than the found one: %s, if %s is new', async (query, replaced) => {
    const { status, headers, body } = await requestOf(between(replaced), query);
    expect([status, body]).toEqual([503, { error: 'Service Unavailable' }]);
    expect(headers).toMatchObject({ 'Retry-After': '2', 'Cache-Control': 'no-store' });
    expect(headers.ETag).toBe(undefined);
  });

  test('a search ignores files of another build that it does not need', async () => {
    const { body } = await requestOf(between(second), 'symbol=S42');
    expect(body).toMatchObject({ total: 1, results: [{ symbol: 'S42' }] });
  });

  test.each([
    ['offset=50', second],
    ['symbol=S42', first],
    ['symbol=S42', names],
  ])('returns 503 for %s while %s is missing', async (query, missing) => {
    const files = between();
    files.delete(missing);
    expect((await requestOf(files, query)).status).toBe(503);
  });

  test('returns 503 while a page has fewer rows than the manifest says', async () => {
    const files = between();
    files.set(second, JSON.stringify({ results: rows(100).slice(60, 80) }));
    expect((await requestOf(files, 'offset=70&limit=20')).status).toBe(503);
  });
});

/** Returns all files of a list, by path. */
function filesOf(
  list: readonly (number | { contract_principal: string; name: string; symbol: string; hasMetadata?: boolean })[],
): Map<string, string> {
  const files = new Map<string, string>();
  const put = (name: string, content: unknown) => files.set(`metadata/v1/ft/${name}.json`, JSON.stringify(content));
  put(
    'names',
    list.map((row) =>
      typeof row === 'number'
        ? ['', '', '', false]
        : [row.contract_principal, row.name, row.symbol, row.hasMetadata ?? true],
    ),
  );
  for (const limit of [20, 60]) {
    for (let offset = 0; offset < list.length + limit; offset += limit) {
      const page = { limit, offset, total: list.length, results: list.slice(offset, offset + limit) };
      put(`pages/${limit}/${offset}`, page);
      if (offset === 0 && limit === 20) put('index', page);
    }
  }
  put('pages/index', { total: list.length });
  return files;
}

/** Requests a slice. Also returns the paths that were read. */
async function requestOf(files: ReadonlyMap<string, string>, query: string | URLSearchParams) {
  const read: string[] = [];
  const asked = { method: 'GET', pathname: LIST, query: new URLSearchParams(query), tags: undefined };
  const { body, ...response } = await handleRequest(asked, SITE_RULES, {
    read: async (file) => {
      const text = files.get(file);
      if (text === undefined) return undefined;
      read.push(file);
      return { body: text, tag: '"tag"' };
    },
    textOf: (text) => text,
  });
  return { ...response, body: JSON.parse(body ?? '') as unknown, read };
}
