// The contract of a subject: what several routes serve views of, read from the index once for all of them.
import type { StoreReader } from '#store/index-database.ts';
import type { Entity } from '#store/served/ledger.ts';
import type { RenderOptions } from './route.ts';

/** One thing that routes serve, under a key that never changes. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** Plain data, which can be sent to another thread; undefined if it is not served (any more). */
  readonly stored: Stored | undefined;
  /** Which of its entities changed; undefined to render all of it. */
  readonly changed?: readonly Entity[] | undefined;
  /** About how much memory it holds, where that may be much. */
  readonly bytes?: number;
}

/** What the entries of a page hold together, unless one alone holds more. */
export const HELD_BYTES = 4_000_000;

/** What to render. */
export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Sorted by key, in code units. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** Whether these are all entries that there are: what is recorded of others is removed. */
  readonly isWhole?: boolean;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  readonly name: string;
  /** What one of its entries is about: a contract, or the whole site, which no shard knows all of. */
  readonly spans: 'contract' | 'site';
  /** What changed after a revision of the ledger; after revision 0, everything that is served. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** Turns what was stored into what the routes render, perhaps in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

/** For a subject that is one thing. */
export function oneEntry<Stored>(read: () => Promise<Stored>): Changes<Stored> {
  async function* pages() {
    yield [{ key: 'all', stored: await read() }];
  }
  return { count: 1, pages: pages() };
}
