// Cuts a list into parts: takes its rows, yields slices of their entries, and last the manifest with their digests.

import { hash } from 'node:crypto';
import { endOf, type ListPart, pageBody, SLICE_SIZE } from './list-pages.ts';
import type { StoredEntry } from './subject.ts';

interface ListRows<Row, Entry> {
  /** The number of rows. */
  readonly total: number;
  readonly rows: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  readonly read: (rows: readonly Row[]) => Promise<Entry[]>;
  /** The most rows that the list may have had before. */
  readonly most?: number;
  /** The text of the names file. */
  readonly names?: string | undefined;
}

/** Includes an empty slice if a page ends with the list. A slice may have megabytes: its entries hold descriptions. */
export async function* listParts<Row, Entry extends object>(
  list: ListRows<Row, Entry>,
): AsyncGenerator<StoredEntry<ListPart<Entry>>[]> {
  const { total, rows, read, most = 0, names } = list;
  const waiting: Row[] = [];
  const pages: string[] = [];
  const cut = async () => {
    const offset = pages.length * SLICE_SIZE;
    const slice = { offset, total, results: await read(waiting.splice(0, SLICE_SIZE)) };
    pages.push(digestOf(pageBody(slice, SLICE_SIZE, offset)));
    return [{ key: sliceKey(offset), stored: slice, bytes: slice.results.reduce((sum, one) => sum + bytesOf(one), 0) }];
  };
  for await (const page of rows) {
    waiting.push(...page);
    while (waiting.length >= SLICE_SIZE) yield await cut();
  }
  while (pages.length < partCount(total) - 1) yield await cut();
  yield goneSlices(pages.length * SLICE_SIZE, most);
  const manifest = { total, ...(names && { names: digestOf(names) }), pages };
  yield [{ key: MANIFEST_KEY, stored: { manifest, names } }];
}

/** The parts of a list that is gone, and may have had so many rows. */
export function goneParts(most: number): StoredEntry<never>[] {
  return [...goneSlices(0, most), { key: MANIFEST_KEY, stored: undefined }];
}

/** Number of slices of a list with this many rows, plus its manifest. */
export function partCount(total: number): number {
  return endOf(total, SLICE_SIZE) / SLICE_SIZE + 2;
}

function goneSlices(from: number, most: number): StoredEntry<never>[] {
  const gone = [];
  for (let offset = from; offset <= endOf(most, SLICE_SIZE); offset += SLICE_SIZE)
    gone.push({ key: sliceKey(offset), stored: undefined });
  return gone;
}

/** Key of a list's manifest, after those of its slices. */
const MANIFEST_KEY = 'manifest';

/** Key of a slice; sorts in list order. */
function sliceKey(offset: number): string {
  return String(offset).padStart(12, '0');
}

/** The digest that edge programs compute: the beginning of the text's SHA-256, in hex. */
function digestOf(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

function bytesOf(entry: object): number {
  return Object.values(entry).reduce<number>((sum, value) => sum + String(value).length, 0);
}
