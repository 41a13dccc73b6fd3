// The interface of a subject: what several routes render, read once for all of them; and what `--only` selects.
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
  /** Of the first of a page: from behind this key to the last of the page, no others are served. */
  readonly after?: string;
}

/** Says of entries whose keys begin with a contract's id and a space that these are all. */
export async function* allOf<Stored>(
  contractId: string,
  pages: AsyncIterable<readonly StoredEntry<Stored>[]> = NO_CHANGES.pages,
): AsyncGenerator<StoredEntry<Stored>[]> {
  let after = `${contractId} `;
  for await (const [first, ...others] of pages) {
    if (first === undefined) continue;
    yield [{ ...first, after }, ...others];
    after = (others.at(-1) ?? first).key;
  }
  // Behind all of them: no character is between a space and this one.
  yield [{ key: `${contractId}!`, stored: undefined, after }];
}

/** Memory limit for the entries of a page, unless a single one exceeds it. */
export const BUFFERED_BYTES = 4_000_000;

export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Sorted by key, in code units. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** True if these are all existing entries: records of others are removed. */
  readonly isComplete?: boolean;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  /** True if its routes show the hash of all other answers: they are rendered after those, and not part of it. */
  readonly showsSiteHash?: boolean;
  /** Changes after a revision of the ledger; after revision 0, everything that is served. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** Reads the entries of these contracts, as a full build does; missing if entries are about the whole site. */
  among?(
    store: StoreReader,
    contractIds: readonly string[],
    options: RenderOptions,
  ): AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** Converts stored data to what the routes render, possibly in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

interface SiteSubject extends Pick<Subject, 'showsSiteHash'> {
  readonly hasChanged?: (store: StoreReader, sinceRevision: number) => Promise<boolean>;
}

/** A subject with a single entry of the whole site; without `hasChanged`, it may change whenever the index does. */
export function siteSubject<Facts>(
  read: (store: StoreReader, options: RenderOptions) => Promise<Facts>,
  { hasChanged, ...more }: SiteSubject = {},
): Subject<unknown, Facts> {
  async function* pages(store: StoreReader, options: RenderOptions) {
    yield [{ key: 'all', stored: await read(store, options) }];
  }
  return {
    ...more,
    changes: async (store, sinceRevision, options) =>
      sinceRevision > 0 && (await hasChanged?.(store, sinceRevision)) === false
        ? NO_CHANGES
        : { count: 1, pages: pages(store, options) },
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

export function isSelected(contract: ServedContract, options: Pick<RenderOptions, 'only'>): boolean {
  const { standard } = contract;
  return standardsOf(options)?.some((one) => one === standard && isTokenContract(contract)) ?? true;
}
