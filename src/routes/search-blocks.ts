// Makes files for searching by prefix: cuts sorted rows into blocks, lists the first key of each block in a block
// index, and defines the two routes that serve them.

import { createHash } from 'node:crypto';
import { indexFile } from '#layout/response-files.ts';
import { jsonPage, type Route, type Schema, type Zod } from './route.ts';
import type { StoredEntry, Subject } from './subject.ts';

/** The number of rows in a typical block: 10 KB of JSON, 5 KB gzipped. */
export const USUAL_ROWS = 192;
/** The maximum number of rows in a block. */
const MAX_ROWS = 420;
/**
 * The average number of rows until the hash of a key ends a block, before and after it has {@link USUAL_ROWS}. Hashes
 * choose the cuts so that an added row changes few blocks.
 */
const [ROWS_TO_CUT_BEFORE, ROWS_TO_CUT_AFTER] = [1024, 48];

/** A searchable row. Rows are sorted by key. */
export interface SearchRow {
  readonly key: string;
  /** A text that consecutive rows of a block share; `member` is the rest of the row. */
  readonly group: string;
  readonly member: string | number;
}

/** A group and its members: `["wrapped-token", "SP…", "SP…"]`. */
export type BlockRow = readonly [string, ...(string | number)[]];

/** Returns the FNV-1a hash, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits depend mostly on the last letters, so the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The first key and the id of each block in one order. */
export type BlockIndex = (readonly [string, string])[];

export interface ContractBlockIndex {
  readonly names: BlockIndex;
  /** Block indexes of names that differ only in their digits, by name pattern. */
  readonly families: Readonly<Record<string, BlockIndex>>;
  readonly addresses: BlockIndex;
}

interface StoredBlock {
  readonly id: string;
  readonly rows: readonly BlockRow[];
}

const BLOCK_ID = /^[0-9a-f]{12}$/;

export const blockIndexSchema = (z: Zod) => z.array(z.array(z.string()).length(2));

/** Cuts sorted rows into blocks, and adds each block to the block index. An added row changes one block. */
export async function* blocksOf(
  order: string,
  pages: AsyncIterable<readonly SearchRow[]>,
  blockIndex: BlockIndex,
): AsyncGenerator<StoredEntry<StoredBlock>[]> {
  let [first, count, lastName] = ['', 0, ''];
  let rows: [string, ...(string | number)[]][] = [];
  const end = (): StoredEntry<StoredBlock> => {
    const key = `${order} ${first}`;
    const id = blockId(key);
    // A block begins with the first row of a name, or continues the last name of the previous block.
    const [name = ''] = first.split(' ');
    blockIndex.push([lastName === name ? first : name, id]);
    lastName = String(rows.at(-1)?.[0]).toLowerCase();
    const stored = { id, rows };
    [count, rows] = [0, []];
    return { key, stored };
  };
  for await (const page of pages) {
    const ended: StoredEntry<StoredBlock>[] = [];
    for (const { key, group, member } of page) {
      const rowsToCut = count < USUAL_ROWS ? ROWS_TO_CUT_BEFORE : ROWS_TO_CUT_AFTER;
      if (count > 0 && (count >= MAX_ROWS || hashOf(key) % rowsToCut === 0)) ended.push(end());
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

export type SearchPart<Found> = { readonly blockIndex: Found } | StoredBlock;

interface Search<Found> extends Pick<Route, 'id' | 'path' | 'summary' | 'about'> {
  readonly schema: Schema;
  readonly changes: Subject<SearchPart<Found>>['changes'];
  /** Name of the path parameter, summary of a block, and description of its rows. */
  readonly block: { readonly name: string; readonly summary: string; readonly rows: string };
}

/** Returns the routes of a block index and of its blocks. */
export function searchRoutes<Found>({ id, path, summary, about, schema, changes, block }: Search<Found>) {
  const subject: Subject<SearchPart<Found>, SearchPart<Found>> = {
    changes,
    open: (stored) => stored,
  };
  const blockIndexes: Route<SearchPart<Found>> = {
    ...{ id, path, summary, about, schema, subject },
    parameters: [],
    render: (part) => ('blockIndex' in part ? [jsonPage(indexFile({ path }), part.blockIndex)] : []),
  };
  const blocks: Route<SearchPart<Found>> = {
    ...{ about, subject, summary: block.summary },
    id: `${id}-block`,
    path: `${path}/{${block.name}}`,
    parameters: [{ name: block.name, pattern: BLOCK_ID }],
    notFound: {
      status: 404,
      body: { error: 'Not Found', message: `This block does not exist. Read ${path} again for the current blocks.` },
    },
    schema: (z) => z.array(z.array(z.union([z.string(), z.int()])).min(2)).describe(block.rows),
    render: (part) => ('id' in part ? [jsonPage(`${path}/${part.id}`, part.rows)] : []),
  };
  return [blockIndexes, blocks] as const;
}
