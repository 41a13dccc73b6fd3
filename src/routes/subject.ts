// Defines the interface of a subject: data in the index that a build reads once, and that several routes render.
import { type Only, TOKEN_STANDARDS, type TokenStandard } from '#model/token.ts';
import { isTokenContract, type ServedContract } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import type { Overlay } from './overlay.ts';

export interface RenderOptions {
  /** The base URL of the site, without a trailing slash. Empty for URIs that are relative to the host. */
  readonly publicUrl: string;
  /** The value of `--only`. Subjects omit data that only routes outside the build would serve. */
  readonly only?: Only | undefined;
  /** Curated facts, which statuses and the token list show. */
  readonly overlay?: Overlay | undefined;
  /** Contracts whose curated facts changed since the last build. */
  readonly curatedChanges?: readonly string[] | undefined;
  /** The hash of the site. Only set for subjects that show it. */
  readonly siteHash?: string | undefined;
}

/** One item of a subject. Its key stays the same in all builds. */
export interface StoredEntry<Stored = unknown> {
  readonly key: string;
  /** The data of the item, which can be sent to another thread. Undefined if the item is no longer served. */
  readonly stored: Stored | undefined;
  /**
   * Set on the first entry of a page. The page then has all served entries between this key and the page's last key.
   */
  readonly after?: string;
}

/**
 * Sets `after` on pages, so that a build removes the files of all other entries of a contract. The pages must have all
 * of its entries, whose keys are the contract id, a space and more.
 */
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
  // This key sorts after the keys of all entries of the contract, since `!` is the character after the space.
  yield [{ key: `${contractId}!`, stored: undefined, after }];
}

export interface Changes<Stored = unknown> {
  readonly count: number;
  /** Pages of entries, sorted by key. Keys are compared by code units. */
  readonly pages: AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** True if the pages contain all entries that exist. A build then removes the files of all other entries. */
  readonly isComplete?: boolean;
}

export interface Subject<Stored = unknown, Facts = unknown> {
  /**
   * True if routes of this subject show the hash of the site. Their files are rendered last and are not part of the
   * hash.
   */
  readonly showsSiteHash?: boolean;
  /** Reads the entries that changed after a revision of the index. For revision 0, reads all served entries. */
  changes(store: StoreReader, sinceRevision: number, options: RenderOptions): Promise<Changes<Stored>>;
  /** Reads the entries of some contracts. Undefined for a subject about the whole site. */
  among?(
    store: StoreReader,
    contractIds: readonly string[],
    options: RenderOptions,
  ): AsyncIterable<readonly StoredEntry<Stored>[]>;
  /** Converts stored data to the facts that routes render. May run in another thread than {@link changes}. */
  open(stored: Stored): Facts;
}

export const NO_CHANGES: Changes<never> = { count: 0, pages: (async function* () {})() };

interface SiteSubject extends Pick<Subject, 'showsSiteHash'> {
  readonly hasChanged?: (store: StoreReader, sinceRevision: number) => Promise<boolean>;
}

/**
 * Makes a subject with a single entry, which is about the whole site. Without `hasChanged`, it changes whenever the
 * index changes.
 */
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

/** Returns the standards of the contracts that `--only` selects. Undefined if the build is not restricted. */
export function standardsOf({ only }: Pick<RenderOptions, 'only'>): readonly TokenStandard[] | undefined {
  return only && STANDARDS[only];
}

export function isSelected(contract: ServedContract, options: Pick<RenderOptions, 'only'>): boolean {
  const { standard } = contract;
  return standardsOf(options)?.some((selected) => selected === standard && isTokenContract(contract)) ?? true;
}
