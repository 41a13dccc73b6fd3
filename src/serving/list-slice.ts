// Plans which slice of a list to send, finds the rows of the slice, and cuts them from the list's pages.
import type { Candidate, Query, Search, Slice } from './candidate.ts';
import type { NameIndex } from './name-index.ts';
import { hasForm } from './pattern.ts';
import type { ListRule, SiteRule } from './rules.ts';

/** The length of a list, and digests that show which of its files belong to one build. */
export interface ListManifest {
  readonly total: number;
  /** The digest of the names file, in which rows are searched. Undefined for a list without search. */
  readonly names?: string;
  /** The digests of the pages of the largest size, in order. */
  readonly pages: readonly string[];
}

/**
 * Returns the candidates for a request for a list: entire files (`fileCandidates`), and a slice that is cut from pages.
 */
export function planList(
  { list, headers, responses }: SiteRule,
  query: Query,
  fileCandidates: Candidate[],
  path: string,
): Candidate[] {
  const firstPage = responses
    .find((response) => response.status === 200 && response.query === undefined)
    ?.file.replace('{path}', path);
  const [first] = fileCandidates;
  if (list === undefined || firstPage === undefined || first?.file === firstPage) return fileCandidates;
  const slice = readSlice({ ...list, pageFile: list.pageFile.replace('{path}', path) }, query);
  if (slice === undefined) return [list.badRequest];
  const file = list.manifestFile.replace('{path}', path);
  const cut = { status: 200, file, needs: file, headers, slice };
  return [...(first?.status === 200 ? [first] : []), cut, ...fileCandidates.slice(-1)];
}

function readSlice(list: ListRule, query: Query): Slice | undefined {
  const [standard = 0] = list.pageSizes;
  const limit = parseInteger(query.get('limit'), standard);
  const offset = parseInteger(query.get('offset'), 0);
  if (limit === undefined || limit < 1 || limit > largestPage(list) || offset === undefined) return undefined;
  const value = (parameter: string) => query.get(parameter) ?? '';
  for (const [parameter, form] of Object.entries(list.search?.forms ?? {}))
    if (value(parameter) !== '' && !hasForm(value(parameter), form)) return undefined;
  const search: Search = {
    name: value('name'),
    symbol: value('symbol'),
    address: value('address'),
    withMetadata: value('valid_metadata_only') === 'true',
    column: value('order_by') === 'symbol' ? 2 : 1,
    direction: value('order') === 'desc' ? -1 : 1,
  };
  const isSearch = search.name + search.symbol + search.address !== '' || search.withMetadata;
  const isPlain = list.search === undefined || (!isSearch && search.column === 1 && search.direction === 1);
  return isPlain ? { limit, offset, list } : { limit, offset, search, list };
}

interface Page {
  readonly results: readonly { readonly contract_principal?: string }[];
}

/** Functions that read files of a list; null or undefined for a missing file. */
interface ListReaders {
  readPage(file: string): Promise<Page | null>;
  readNames(file: string): Promise<NameIndex | undefined>;
}

/**
 * Returns the rows of a slice. Reads only the pages that contain these rows. Undefined if a file or a row is missing, or if a
 * found row belongs to another principal, since a build is replacing the files.
 */
export async function cutSlice({ limit, offset, search, list }: Slice, listed: number, readers: ListReaders) {
  const names = search && (await readers.readNames(list.search?.file ?? ''));
  if (search !== undefined && names === undefined) return undefined;
  const found = search && names?.find(search);
  const total = found?.length ?? listed;
  const size = largestPage(list);
  const pages = new Map<number, Page | null>();
  const results = [];
  for (let index = offset; index < Math.min(offset + limit, total); index++) {
    const row = found?.[index] ?? index;
    const number = Math.floor(row / size);
    const file = list.pageFile.replace('{limit}', String(size)).replace('{offset}', String(number * size));
    const page = pages.get(number) ?? (await readers.readPage(file));
    pages.set(number, page);
    const result = page?.results[row % size];
    if (result === undefined || (names && names.principalOf(row) !== result.contract_principal)) return undefined;
    results.push(result);
  }
  return { limit, offset, total, results };
}

function largestPage({ pageSizes }: ListRule): number {
  return pageSizes.at(-1) ?? 0;
}

function parseInteger(text: string | null, fallback: number): number | undefined {
  if (text === null || text === '') return fallback;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
