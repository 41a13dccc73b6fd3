// Makes files for searching by prefix: cuts sorted rows into blocks, with a fence of their first keys, which tells
// which block has a key, and the two routes that serve them.

import { createHash } from 'node:crypto';
import { indexFile } from '#layout/response-files.ts';
import { jsonPage, type Route, type Schema, type Zod } from './route.ts';
import type { StoredEntry, Subject } from './subject.ts';

/** Rows of a typical block, 10 KB as JSON and 5 KB gzipped, and of the largest: two of these have 20 KB. */
export const USUAL_ROWS = 192;
const MAX_ROWS = 420;
/** One row in this many begins a block: RARE while it is small, OFTEN later. One more row then moves few cuts. */
const RARE = 1024;
const OFTEN = 48;

/** A searchable row; its key sorts as the rows do. */
export interface SearchRow {
  readonly key: string;
  /** Text shared by consecutive rows of a block, and the rest of this row. */
  readonly group: string;
  readonly member: string | number;
}

/** A group and its members: `["wrapped-token", "SP…", "SP…"]`. */
export type BlockRow = readonly [string, ...(string | number)[]];

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits depend mostly on the last letters, so the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** First key and id of each block in one order. */
export type BlockIndex = (readonly [string, string])[];

export interface ContractBlockIndex {
  readonly names: BlockIndex;
  /** Fences by pattern, for families of names that differ only in their digits. */
  readonly families: Readonly<Record<string, BlockIndex>>;
  readonly addresses: BlockIndex;
}

interface StoredBlock {
  readonly id: string;
  readonly rows: readonly BlockRow[];
}

const BLOCK_ID = /^[0-9a-f]{12}$/;

export const blockIndexSchema = (z: Zod) => z.array(z.array(z.string()).length(2));

/** Cuts sorted rows into blocks, and adds each to the fence. Keys decide the cuts: one more row changes one block. */
export async function* blocksOf(
  order: string,
  pages: AsyncIterable<readonly SearchRow[]>,
  fence: BlockIndex,
): AsyncGenerator<StoredEntry<StoredBlock>[]> {
  let [first, count, lastName] = ['', 0, ''];
  let rows: [string, ...(string | number)[]][] = [];
  const end = (): StoredEntry<StoredBlock> => {
    const key = `${order} ${first}`;
    const id = blockId(key);
    // A block starts at the first row of a name, or continues the name with which the previous block ends.
    const [name = ''] = first.split(' ');
    fence.push([lastName === name ? first : name, id]);
    lastName = String(rows.at(-1)?.[0]).toLowerCase();
    const stored = { id, rows };
    [count, rows] = [0, []];
    return { key, stored };
  };
  for await (const page of pages) {
    const ended: StoredEntry<StoredBlock>[] = [];
    for (const { key, group, member } of page) {
      const oneIn = count < USUAL_ROWS ? RARE : OFTEN;
      if (count > 0 && (count >= MAX_ROWS || hashOf(key) % oneIn === 0)) ended.push(end());
      if (count++ === 0) first = key;
      const last = rows.at(-1);
      if (last?.[0] === group) last.push(member);
      else rows.push([group, member]);
    }
    yield ended;
  }
  if (count > 0) yield [end()];
}

export function blockId(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

export type SearchPart<Found> = { readonly fence: Found } | StoredBlock;

interface Search<Found> extends Pick<Route, 'id' | 'path' | 'summary' | 'about'> {
  readonly schema: Schema;
  readonly changes: Subject<SearchPart<Found>>['changes'];
  /** The path parameter that is the id of a block, what a block is, and what its rows are. */
  readonly block: { readonly name: string; readonly summary: string; readonly rows: string };
}

/** The route of a fence, and that of the blocks that it names. */
export function searchRoutes<Found>(own: Search<Found>) {
  const { id, path, summary, about, schema, changes, block } = own;
  const subject: Subject<SearchPart<Found>, SearchPart<Found>> = {
    changes,
    open: (stored) => stored,
  };
  const fences: Route<SearchPart<Found>> = {
    ...{ id, path, summary, about, schema, subject },
    parameters: [],
    render: (part) => ('fence' in part ? [jsonPage(indexFile({ path }), part.fence)] : []),
  };
  const blocks: Route<SearchPart<Found>> = {
    ...{ about, subject, summary: block.summary },
    id: `${id}-block`,
    path: `${path}/{${block.name}}`,
    parameters: [{ name: block.name, pattern: BLOCK_ID }],
    notFound: { status: 404, body: { error: 'Not Found', message: `${path} has no such block now` } },
    schema: (z) => z.array(z.array(z.union([z.string(), z.int()])).min(2)).describe(block.rows),
    render: (part) => ('id' in part ? [jsonPage(`${path}/${part.id}`, part.rows)] : []),
  };
  return [fences, blocks] as const;
}
