// Makes files for a search by the beginning of a text: blocks of sorted rows, and a block index with the first key of
// each block.

import { createHash } from 'node:crypto';
import { fnv1a } from '#layout/fnv1a.ts';
import { nameKey } from '#layout/fold-names.ts';
import type { StoredEntry } from './subject.ts';

/** The usual number of rows in a block, which take 10 KB as JSON and 5 KB gzipped. */
export const USUAL_ROWS = 192;
/** The maximum number of rows in a block. */
const MAX_ROWS = 420;
/**
 * The average number of rows after which the hash of a key ends a block: for a small block, and for a block with at
 * least {@link USUAL_ROWS} rows. Hashes decide where to cut, so that an added row changes few blocks.
 */
const [ROWS_TO_CUT_BEFORE, ROWS_TO_CUT_AFTER] = [1024, 48];

/** A row of a block. Rows are sorted by `key`. */
export interface SearchRow {
  readonly key: string;
  /** The text that consecutive rows share; a block contains it once. `member` is the rest of the row. */
  readonly group: string;
  readonly member: string;
}

/** Consecutive rows with the same group: the group, then its members, such as `["wrapped-token", "SP…", "SP…"]`. */
export type BlockRow = readonly [string, ...string[]];

function hashOf(text: string): number {
  const hash = fnv1a(text);
  // Low bits depend mostly on the last letters of the text, so high bits are mixed into them.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The first key and the id of each block, for all blocks with the same order of rows. */
export type BlockIndex = (readonly [string, string])[];

export interface ContractBlockIndex {
  readonly names: BlockIndex;
  readonly addresses: BlockIndex;
}

export interface StoredBlock {
  readonly id: string;
  readonly rows: readonly BlockRow[];
}

/** All names of contracts in lower case, to search for a part of a name in one file. */
export interface ContractNames {
  /** The id of each block of search/contracts and its names, sorted. See {@link packNames} for the text. */
  readonly blocks: readonly (readonly [id: string, names: string])[];
}

/**
 * Cuts sorted rows into blocks, and appends the key and id of each block to `blockIndex`. If a row is added, usually
 * only one block changes.
 */
export async function* blocksOf(
  order: string,
  pages: AsyncIterable<readonly SearchRow[]>,
  blockIndex: BlockIndex,
): AsyncGenerator<StoredEntry<StoredBlock>[]> {
  let [first, count, lastName] = ['', 0, ''];
  let rows: [string, ...string[]][] = [];
  const end = (): StoredEntry<StoredBlock> => {
    const key = `${order} ${first}`;
    const id = blockId(key);
    // The key of a block is the name of its first row. If the block before ends with the same name, it is the entire
    // key of the row.
    const [name = ''] = first.split(' ');
    blockIndex.push([lastName === name ? first : name, id]);
    lastName = nameKey(String(rows.at(-1)?.[0]));
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

export type SearchPart = { readonly blockIndex: ContractBlockIndex; readonly names: ContractNames } | StoredBlock;
