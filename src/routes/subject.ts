// The interface of a subject: data that several routes render, read from the index once for all of them, and the
// selection of a restricted build.
import type { SiteHash } from '#model/site-hash.ts';
import { type Only, TOKEN_STANDARDS, type TokenStandard } from '#model/token.ts';
import { isTokenContract, type ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface RenderOptions {
  /** Base of the URIs of our own files, without a trailing slash; empty for URIs relative to the host. */
  readonly publicUrl: string;
  /** The restriction of the build: subjects leave out what none of its routes serves. */
  readonly only?: Only | undefined;
  /** The hash of the site, for subjects that show it. */
  readonly site?: SiteHash | undefined;
}

/** An item that routes serve, under a permanent key. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** Plain data that can be sent to another thread; undefined if it is not served (any more). */
  readonly stored: Stored | undefined;
  /** Approximate memory that it holds, if it may be large. */
  readonly bytes?: number;
}

/** Memory limit for the entries of a page, unless a single one exceeds it. */
export const HELD_BYTES = 4_000_000;

/** Entries to render. */
export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Sorted by key, in code units. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** True if these are all existing entries: records of others are removed. */
  readonly isWhole?: boolean;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  /** The scope of an entry: a contract, or the whole site, which no single shard knows. */
  readonly spans: 'contract' | 'site';
  /** True if its routes show the hash of all other answers: they are rendered after those, and not part of it. */
  readonly showsSiteHash?: boolean;
  /** Changes after a revision of the ledger; after revision 0, everything that is served. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** Entries of these contracts, as a full build reads them: of subjects that span a contract. */
  among?(
    store: StoreReader,
    contractIds: readonly string[],
    options: RenderOptions,
  ): AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** Converts stored data to what the routes render, possibly in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

/** Changes of a subject with a single entry. */
export function oneEntry<Stored>(read: () => Promise<Stored>): Changes<Stored> {
  async function* pages() {
    yield [{ key: 'all', stored: await read() }];
  }
  return { count: 1, pages: pages() };
}

/** A subject with a single entry of the whole site, which may change whenever the index does. */
export function siteSubject<Facts>(
  read: (store: StoreReader, options: RenderOptions) => Promise<Facts>,
  more: Pick<Subject, 'showsSiteHash'> = {},
): Subject<unknown, Facts> {
  return {
    ...more,
    spans: 'site',
    changes: async (store, _, options) => oneEntry(() => read(store, options)),
    open: (stored) => stored as Facts,
  };
}

const STANDARDS: Readonly<Record<Only, readonly TokenStandard[]>> = {
  tokens: TOKEN_STANDARDS,
  ft: ['sip-010'],
  nft: ['sip-009'],
  sft: ['sip-013'],
};

/** Undefined if all contracts are built. */
export function standardsOf({ only }: Pick<RenderOptions, 'only'>): readonly TokenStandard[] | undefined {
  return only && STANDARDS[only];
}

/** True if a build includes a contract. */
export function isSelected(contract: ServedContract, options: Pick<RenderOptions, 'only'>): boolean {
  const { standard } = contract;
  return standardsOf(options)?.some((one) => one === standard && isTokenContract(contract)) ?? true;
}
