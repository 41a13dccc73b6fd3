// Plans which part of a list to send, finds its rows and takes them out of the pages. All files must match the digests
// of one manifest, and so come from one build.
import type { Candidate, Query, Search, Slice } from './candidate.ts';
import type { NameIndex } from './name-index.ts';
import { hasForm } from './pattern.ts';
import type { ListRule, SiteRule } from './rules.ts';

/** Digests of a list's files in one build: they are replaced one by one, and no program may mix two builds. */
export interface ListManifest {
  readonly total: number;
  /** Digest of the names file, by which rows are found. */
  readonly names?: string;
  /** Digests of the pages of the largest size, in order. */
  readonly pages: readonly string[];
}

/** Returns the candidates of a list; `whole` are those that are files. No page follows the end of the list. */
export function planList(
  { list, headers, answers }: SiteRule,
  query: Query,
  whole: Candidate[],
  path: string,
): Candidate[] {
  const own = answers
    .find((answer) => answer.status === 200 && answer.query === undefined)
    ?.file.replace('{path}', path);
  const [first] = whole;
  if (list === undefined || own === undefined || first?.file === own) return whole;
  const slice = readSlice({ ...list, pageFile: list.pageFile.replace('{path}', path) }, query);
  if (slice === undefined) return [list.badRequest];
  const file = list.manifestFile.replace('{path}', path);
  const cut = { status: 200, file, needs: file, headers, slice };
  return [...(first?.status === 200 ? [first] : []), cut, ...whole.slice(-1)];
}

function readSlice(list: ListRule, query: Query): Slice | undefined {
  const [standard = 0] = list.pageSizes;
  const limit = wholeNumber(query.get('limit'), standard);
  const offset = wholeNumber(query.get('offset'), 0);
  if (limit === undefined || limit < 1 || limit > largestPage(list) || offset === undefined) return undefined;
  const asked = (parameter: string) => query.get(parameter) ?? '';
  for (const [parameter, form] of Object.entries(list.search?.forms ?? {}))
    if (asked(parameter) !== '' && !hasForm(asked(parameter), form)) return undefined;
  const search: Search = {
    name: asked('name'),
    symbol: asked('symbol'),
    address: asked('address'),
    withMetadata: asked('valid_metadata_only') === 'true',
    column: asked('order_by') === 'symbol' ? 2 : 1,
    direction: asked('order') === 'desc' ? -1 : 1,
  };
  const finds = search.name + search.symbol + search.address !== '' || search.withMetadata;
  const isPlain = list.search === undefined || (!finds && search.column === 1 && search.direction === 1);
  return isPlain ? { limit, offset, list } : { limit, offset, search, list };
}

interface Page {
  readonly results: readonly unknown[];
}

/** Read a file of a list. Both throw for a file with another digest. */
interface ListReaders {
  readPage(file: string, digest: string | undefined): Promise<Page>;
  readNames(file: string, digest: string | undefined): Promise<NameIndex>;
}

/** Takes a slice out of the pages of its list, and reads only those that it needs. */
export async function cutSlice(
  { limit, offset, search, list }: Slice,
  manifest: ListManifest,
  { readPage, readNames }: ListReaders,
) {
  const found = search && (await readNames(list.search?.file ?? '', manifest.names)).find(search);
  const total = found?.length ?? manifest.total;
  const size = largestPage(list);
  const pages = new Map<number, Page>();
  const results = [];
  for (let index = offset; index < Math.min(offset + limit, total); index++) {
    const row = found?.[index] ?? index;
    const number = Math.floor(row / size);
    const file = list.pageFile.replace('{limit}', String(size)).replace('{offset}', String(number * size));
    const page = pages.get(number) ?? (await readPage(file, manifest.pages[number]));
    pages.set(number, page);
    results.push(page.results[row % size]);
  }
  return { limit, offset, total, results };
}

function largestPage({ pageSizes }: ListRule): number {
  return pageSizes.at(-1) ?? 0;
}

function wholeNumber(text: string | null, otherwise: number): number | undefined {
  if (text === null || text === '') return otherwise;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
