// Defines the interface of a subject: stored data that several routes render and that a build reads once.
import type { SiteHash } from '#model/site-hash.ts';
import { type Only, TOKEN_STANDARDS, type TokenStandard } from '#model/token.ts';
import { isTokenContract, type ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface RenderOptions {
  /** The base URL of the files of this site, without a trailing slash; empty for URIs relative to the host. */
  readonly publicUrl: string;
  /** The value of `--only`. Subjects leave out data that no route of the build serves. */
  readonly only?: Only | undefined;
  /** The hash of the site, for subjects that show it. */
  readonly site?: SiteHash | undefined;
}

/** An item that routes serve. Its key never changes. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** Plain data that can be sent to another thread; undefined if the item is no longer served. */
  readonly stored: Stored | undefined;
  /** The approximate size in memory; undefined for small items. */
  readonly bytes?: number;
  /** Set on the first entry of a page: the page holds every served entry after this key, up to its own last key. */
  readonly after?: string;
}

/** Marks the pages as the complete list of entries whose keys begin with the contract id and a space. */
export async function* markComplete<Stored>(
  contractId: string,
  pages: AsyncIterable<readonly StoredEntry<Stored>[]> = NO_CHANGES.pages,
): AsyncGenerator<StoredEntry<Stored>[]> {
  let after = `${contractId} `;
  for await (const [first, ...rest] of pages) {
    if (first === undefined) continue;
    yield [{ ...first, after }, ...rest];
    after = (rest.at(-1) ?? first).key;
  }
  // This key sorts after all entries of the contract: `!` is the character after the space.
  yield [{ key: `${contractId}!`, stored: undefined, after }];
}

/** The maximum memory of the entries of a page in bytes, unless a single entry is larger. */
export const BUFFERED_BYTES = 4_000_000;

export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Pages of entries, sorted by key in code units. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** True if the pages have all existing entries, so that a build removes the files of all other entries. */
  readonly isComplete?: boolean;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  /** True if its routes show the hash of the site. They are rendered last, and the hash excludes them. */
  readonly showsSiteHash?: boolean;
  /** Reads the entries that changed after a revision of the ledger; all served entries for revision 0. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** Reads the entries of the contracts; undefined for a subject about the whole site. */
  among?(
    store: StoreReader,
    contractIds: readonly string[],
    options: RenderOptions,
  ): AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** Converts stored data to the input of the routes, possibly in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

interface SiteSubject extends Pick<Subject, 'showsSiteHash'> {
  readonly hasChanged?: (store: StoreReader, sinceRevision: number) => Promise<boolean>;
}

/** Makes a subject with one entry about the whole site. Without `hasChanged`, any change of the index changes it. */
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

/** Returns the standards that `--only` selects; undefined if all contracts are built. */
export function standardsOf({ only }: Pick<RenderOptions, 'only'>): readonly TokenStandard[] | undefined {
  return only && STANDARDS[only];
}

export function isSelected(contract: ServedContract, options: Pick<RenderOptions, 'only'>): boolean {
  const { standard } = contract;
  return standardsOf(options)?.some((selected) => selected === standard && isTokenContract(contract)) ?? true;
}
