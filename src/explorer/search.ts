// Searches the site: tokens in one file, contracts and functions in the blocks that may contain them.
import type { BlockIndex, ContractBlockIndex } from '#routes/search-blocks.ts';
import { type FoundContracts, type FunctionRow, findContracts, findFunctions } from './find-in-blocks.ts';
import { findTokens, STANDARDS, type TokenRow } from './find-tokens.ts';
import { readAddress, readSearchText } from './search-text.ts';
import { readJson, SiteError, toSiteError } from './site.ts';

export interface Found {
  readonly typed: string;
  readonly text: string;
  /** The number of an item of the collection that was found. */
  readonly number: string | undefined;
  /** Set if the text is a complete address that deployed something. */
  readonly address: string | undefined;
  readonly tokens: readonly TokenRow[];
  readonly contracts: FoundContracts;
  /** The standard of each contract that is a token or a collection. */
  readonly standards: ReadonlyMap<string, string>;
  readonly functions: readonly FunctionRow[];
  /** Sentences about what could not be searched. */
  readonly problems: readonly string[];
}

type KnownParts = Pick<Found, 'tokens' | 'contracts' | 'functions'>;

const NOTHING: KnownParts = {
  tokens: [],
  contracts: { found: [], families: [], read: 0, of: 0 },
  functions: [],
};
/** Shorter texts begin a thousand functions; names of functions contain no dot and no space. */
const FUNCTION = /^[^.\s]{3,}$/;

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
  const foundFunctions = FUNCTION.test(text) ? searchFunctions(text) : Promise.resolve([]);
  const [tokens, contracts, functions] = await Promise.all([
    orKnown('Tokens', known.tokens, foundTokens),
    orKnown('Contracts', known.contracts, foundContracts),
    orKnown('Functions', known.functions, foundFunctions),
  ]);
  const ids = new Set(contracts.found);
  const standards = (await rows.catch(() => [])).flatMap(([kind, id]) =>
    ids.has(id) ? [[id, STANDARDS[kind] ?? kind] as const] : [],
  );
  const found = { typed, text, number, tokens, contracts, standards: new Map(standards), functions, problems };
  return { ...found, address: contracts.found.length > 0 ? address : undefined };
}

export const TOKENS = 'search/tokens/index.json';
export type TokenRows = readonly TokenRow[];

export function readBlockIndex(): Promise<ContractBlockIndex> {
  return readJson('search/contracts/index.json');
}

export function readBlock<Rows>(id: string): Promise<Rows> {
  return readJson(`search/contracts/${id}`);
}

/** Finds the functions whose name has the prefix. Returns none if the site has no such files. */
export async function searchFunctions(prefix: string): Promise<FunctionRow[]> {
  const blockIndex = await readJson<BlockIndex>('search/functions/index.json').catch((error: unknown) => {
    if (error instanceof SiteError && !error.isPassing) return [];
    throw error;
  });
  return findFunctions(blockIndex, (id) => readJson(`search/functions/${id}`), prefix);
}
