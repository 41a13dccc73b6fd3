// The contract of a subject: what several routes serve views of, read from the index once for all of them.
import type { StoreReader } from '#store/index-database.ts';
import type { Entity } from '#store/ledger/ledger.ts';

/** What a build may be restricted to. */
export const ONLY = ['tokens', 'ft', 'nft', 'sft'] as const;
export type Only = (typeof ONLY)[number];

export interface RenderOptions {
  /** What URIs of our own files begin with, without a slash at the end; empty for URIs relative to the host. */
  readonly publicUrl: string;
  /** What the build is restricted to: subjects leave out what no route of it serves. */
  readonly only?: Only | undefined;
}

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
