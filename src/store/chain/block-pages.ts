// Reads and writes the pages of canonical blocks. Keeps pages in memory until they are flushed.

import { excluded, hashToBlob } from '#sqlite/columns.ts';
import { inBatches, insertRows, listed } from '#sqlite/lists.ts';
import type { StoreReader, StoreWriter } from '../index-database.ts';
import { type Block, BlockPage, heightOf, PAGE_HEIGHTS } from './block-records.ts';

/** Maximum number of pages in memory: 3 MB. */
const MAX_PAGES = 256;
/** The number of pages to search for a parent. Farther down, only the next lower block can be the parent. */
const PARENT_PAGES = 4;

/** Pages of the canonical chain during a transaction. Call {@link flush} to write the changes. */
export class BlockPages {
  readonly #store: StoreReader;
  readonly #pages = new Map<number, BlockPage>();

  constructor(store: StoreReader) {
    this.#store = store;
  }

  /** Returns the page for a height; undefined if the page is not in memory. */
  held(height: number): BlockPage | undefined {
    return this.#pages.get(Math.floor(height / PAGE_HEIGHTS));
  }

  /** Returns the page for a height. Reads the page if it is not in memory. */
  async pageOf(height: number): Promise<BlockPage> {
    const number = Math.floor(height / PAGE_HEIGHTS);
    const held = this.#pages.get(number);
    if (held !== undefined) return held;
    if (this.#pages.size >= MAX_PAGES) await this.#forget();
    const stored = this.#store.selectFrom('block_page').select('records').where('page', '=', number);
    const page = new BlockPage(number, (await stored.executeTakeFirst())?.records);
    this.#pages.set(number, page);
    return page;
  }

  async blockAt(height: number): Promise<Block | undefined> {
    return height < 0 ? undefined : (await this.pageOf(height)).block(height);
  }

  /** Returns the highest block below a height. */
  async blockBelow(height: number): Promise<Block | undefined> {
    for await (const { page, height: found } of this.downFrom(height - 1)) return page.block(found);
    return undefined;
  }

  /** Finds a canonical block by its hash, in {@link PARENT_PAGES} pages below a height, or as the next lower block. */
  async findBelow(hash: string, height: number): Promise<Block | undefined> {
    const next = await this.blockAt(height - 1);
    if (next?.indexBlockHash === hash) return next;
    const bytes = hashToBlob(hash);
    for (let at = height - 1, pages = 0; at >= 0 && pages < PARENT_PAGES; at -= PAGE_HEIGHTS, pages++) {
      const page = await this.pageOf(at);
      const found = page.find(bytes);
      if (found !== undefined && found < height) return page.block(found);
    }
    const below = await this.blockBelow(height);
    return below?.indexBlockHash === hash ? below : undefined;
  }

  /** Yields the blocks at and above a height, in ascending order. */
  upFrom(height: number): AsyncGenerator<PlacedBlock> {
    return this.#walk(Math.max(height, 0), 1);
  }

  /** Yields the blocks at and below a height, in descending order. */
  downFrom(height: number): AsyncGenerator<PlacedBlock> {
    return this.#walk(height, -1);
  }

  async put(block: Block): Promise<void> {
    (await this.pageOf(block.height)).put(block);
  }

  /** Writes the changed pages. */
  async flush(): Promise<void> {
    const changed = [...this.#pages.values()].filter((page) => page.isChanged);
    const rows = changed.map(rowOf);
    const filled = rows.filter((row) => row.blocks > 0);
    await insertRows(this.#store, 'block_page', filled, (conflict) =>
      conflict
        .column('page')
        .doUpdateSet(
          excluded('blocks', 'lowest', 'highest', 'earliest_time', 'latest_time', 'first_in_tenure', 'records'),
        ),
    );
    const emptied = rows.filter((row) => row.blocks === 0).map((row) => row.page);
    if (emptied.length > 0)
      await (this.#store as StoreWriter).deleteFrom('block_page').where('page', 'in', listed(emptied)).execute();
    for (const page of changed) page.isChanged = false;
  }

  async #forget(): Promise<void> {
    await this.flush();
    this.#pages.clear();
  }

  async *#walk(from: number, step: 1 | -1): AsyncGenerator<PlacedBlock> {
    let at: number | undefined = from;
    while (at !== undefined && at >= 0) {
      const page = await this.pageOf(at);
      for (const height of page.heights(at, step)) yield { page, height };
      const next: number = page.number + step;
      at = await this.#edgeOf(next, step);
    }
  }

  /** Returns the first height of the next page that has blocks; with step -1, the last height of the previous page. */
  async #edgeOf(number: number, step: 1 | -1): Promise<number | undefined> {
    const edge = (found: number) => (step === 1 ? found * PAGE_HEIGHTS : (found + 1) * PAGE_HEIGHTS - 1);
    if (number < 0 || this.#pages.has(number)) return edge(number);
    await this.flush();
    const page = this.#store.selectFrom('block_page').select('page').limit(1);
    const ordered = page.where('page', step === 1 ? '>=' : '<=', number).orderBy('page', step === 1 ? 'asc' : 'desc');
    const found = (await ordered.executeTakeFirst())?.page;
    return found === undefined ? undefined : edge(found);
  }
}

/** A page and the height of a block in it. */
export interface PlacedBlock {
  readonly page: BlockPage;
  readonly height: number;
}

function rowOf(page: BlockPage) {
  let [blocks, highest, earliest, latest] = [0, -1, Number.POSITIVE_INFINITY, 0];
  let [lowest, firstInTenure]: (number | undefined)[] = [];
  for (const height of page.heights()) {
    blocks++;
    lowest ??= height;
    highest = height;
    if (page.isInTenure(height)) firstInTenure ??= height;
    const time = page.time(height);
    if (time === 0) continue;
    earliest = Math.min(earliest, time);
    latest = Math.max(latest, time);
  }
  return {
    page: page.number,
    blocks,
    lowest: lowest ?? -1,
    highest,
    earliest_time: latest === 0 ? null : earliest,
    latest_time: latest === 0 ? null : latest,
    first_in_tenure: firstInTenure ?? null,
    records: page.trimmed(),
  };
}

/** Reads the canonical blocks at these heights, in queries of at most {@link MAX_PAGES} pages. Returns blocks by id. */
export async function readCanonical(store: StoreReader, heights: Iterable<number>): Promise<Map<number, Block>> {
  const byPage = Map.groupBy(new Set(heights), (height) => Math.floor(height / PAGE_HEIGHTS));
  const blocks = new Map<number, Block>();
  for (const run of inBatches([...byPage.keys()], MAX_PAGES)) {
    const pages = store.selectFrom('block_page').select(['page', 'records']).where('page', 'in', listed(run));
    for (const { page: number, records } of await pages.execute()) {
      const page = new BlockPage(number, records);
      for (const height of byPage.get(number) ?? []) {
        const block = page.block(height);
        if (block !== undefined) blocks.set(block.blockId, block);
      }
    }
  }
  return blocks;
}

export const heightsOf = (blockIds: Iterable<number>) => new Set([...blockIds].map(heightOf));
