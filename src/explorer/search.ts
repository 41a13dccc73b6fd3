// Searches the site: tokens in one file, contracts in the blocks that may contain them.
import type { BlockRow, ContractBlockIndex } from '#routes/search-blocks.ts';
import { findContracts, type Progress } from './find-in-blocks.ts';
import { findTokens, STANDARDS, type TokenRow } from './find-tokens.ts';
import { readAddress, readSearchText } from './search-text.ts';
import { readJson, toSiteError } from './site.ts';

export interface Found {
  readonly typed: string;
  readonly text: string;
  /** The number of an item of the collection that was found. */
  readonly number: string | undefined;
  /** Set if the text is a complete address that deployed something. */
  readonly address: string | undefined;
  readonly tokens: readonly TokenRow[];
  readonly contracts: Progress;
  /** The standard of each contract that is a token or a collection. */
  readonly standards: ReadonlyMap<string, string>;
  /** Sentences about what could not be searched. */
  readonly problems: readonly string[];
}

type KnownParts = Pick<Found, 'tokens' | 'contracts'>;

const NOTHING: KnownParts = { tokens: [], contracts: { found: [], read: 0, of: 0 } };

/** Finds all tokens, and at least `enough` contracts. Parts that cannot be searched keep their known rows. */
export async function search(typed: string, enough: number, known: KnownParts = NOTHING): Promise<Found> {
  const { text, number } = readSearchText(typed);
  const address = readAddress(text);
  const problems: string[] = [];
  const orKnown = <Part>(name: string, part: Part, found: Promise<Part>) =>
    found.catch((error: unknown) => {
      problems.push(`${name} could not be searched. ${toSiteError(error).message}`);
      return part;
    });
  const rows = readJson<TokenRows>(TOKENS);
  const foundTokens = rows.then((all) => findTokens(all, text));
  const foundContracts = readBlockIndex().then((index) => findContracts(index, readBlock, address ?? text, enough));
  const [tokens, contracts] = await Promise.all([
    orKnown('Tokens', known.tokens, foundTokens),
    orKnown('Contracts', known.contracts, foundContracts),
  ]);
  const ids = new Set(contracts.found);
  const standards = (await rows.catch(() => [])).flatMap(([kind, id]) =>
    ids.has(id) ? [[id, STANDARDS[kind] ?? kind] as const] : [],
  );
  const found = { typed, text, number, tokens, contracts, standards: new Map(standards), problems };
  return { ...found, address: contracts.found.length > 0 ? address : undefined };
}

export const TOKENS = 'search/tokens/index.json';
export type TokenRows = readonly TokenRow[];

export function readBlockIndex(): Promise<ContractBlockIndex> {
  return readJson('search/contracts/index.json');
}

export function readBlock(id: string): Promise<readonly BlockRow[]> {
  return readJson(pathOfBlock(id));
}

export function pathOfBlock(id: string): string {
  return `search/contracts/${id}`;
}
