// The contract of a subject: what several routes serve different views of, read from the index once for all of them.
import type { StoreReader } from '#store/index-database.ts';
import type { Entity } from '#store/ledger.ts';
import type { RenderOptions } from './route.ts';

/** One thing that routes serve, under a key that stays the same from build to build. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** Plain data; undefined if it is not served (any more). */
  readonly stored: Stored | undefined;
  /** The entities of it that changed; undefined where all of it is rendered. */
  readonly changed?: readonly Entity[] | undefined;
}

/** What is to be rendered. */
export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Some entries at a time, in the order of the code units of their keys. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  readonly name: string;
  /** What changed after a revision of the ledger; after 0: everything that is served. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** What the routes render, from what was stored. It may run in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

/** Of a subject that is one thing, read whole. */
export function oneEntry<Stored>(read: () => Promise<Stored>): Changes<Stored> {
  async function* pages() {
    yield [{ key: 'all', stored: await read() }];
  }
  return { count: 1, pages: pages() };
}
