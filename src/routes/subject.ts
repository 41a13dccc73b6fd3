// The contract of a subject: what several routes serve different views of, read from the index once for all of them.
import type { StoreReader } from '#store/index-database.ts';
import type { RenderOptions } from './route.ts';

/** One thing that routes serve, under a key that stays the same from build to build. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** Plain data; undefined if it is not served (any more). */
  readonly stored: Stored | undefined;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  readonly name: string;
  /** How many entries {@link changed} gives. */
  count(store: StoreReader, sinceRevision: number): Promise<number>;
  /**
   * What changed after a revision, some entries at a time; after 0: everything that is served.
   * Keys come in the order of their code units.
   */
  changed(
    store: StoreReader,
    sinceRevision: number,
    options: RenderOptions,
  ): AsyncGenerator<readonly StoredEntry<Stored>[]>;
  /** What the routes render, from what was stored. It may run in another thread than {@link changed}. */
  open(stored: Stored): Facts;
}
