// Searches the site for what was typed: tokens in one file, contracts and functions in the blocks that may have them.
import type { BlockIndex, ContractBlockIndex } from '#routes/search-blocks.ts';
import { type FoundContracts, type FunctionRow, findContracts, findFunctions } from './find-in-blocks.ts';
import { findTokens, STANDARDS, type TokenRow } from './find-tokens.ts';
import { readAddress, readSearchText } from './search-text.ts';
import { ask, SiteError, toSiteError } from './site.ts';

export interface Found {
  readonly typed: string;
  readonly text: string;
  /** The number of a token of the collections that were found. */
  readonly number: string | undefined;
  /** Set if the text is a whole address that deployed something. */
  readonly address: string | undefined;
  readonly tokens: readonly TokenRow[];
  readonly contracts: FoundContracts;
  /** The standard of each contract that is a token or a collection. */
  readonly standards: ReadonlyMap<string, string>;
  readonly functions: readonly FunctionRow[];
  /** Sentences that say what could not be looked through, and why. */
  readonly troubles: readonly string[];
}

const NOTHING = { tokens: [], contracts: { found: [], families: [], read: 0, of: 0 }, functions: [] } as const;
/** Shorter texts begin a thousand functions; what has a dot or a space begins none. */
const FUNCTION = /^[^.\s]{3,}$/;

/** All tokens, and so many contracts at least, where there are. What cannot be looked through stays as it was known. */
export async function search(
  typed: string,
  enough: number,
  known: Pick<Found, 'tokens' | 'contracts' | 'functions'> = NOTHING,
): Promise<Found> {
  const { text, number } = readSearchText(typed);
  const address = readAddress(text);
  const troubles: string[] = [];
  const orKnown = <Part>(what: string, part: Part, asked: Promise<Part>) =>
    asked.catch((error: unknown) => {
      troubles.push(`${what} could not be searched. ${toSiteError(error).message}`);
      return part;
    });
  const rows = ask<TokenRows>(TOKENS);
  const inBlocks = requestBlockIndex().then((fence) => findContracts(fence, askBlock, address ?? text, enough));
  const [tokens, contracts, functions] = await Promise.all([
    orKnown<readonly TokenRow[]>(
      'Tokens',
      known.tokens,
      rows.then((all) => findTokens(all, text)),
    ),
    orKnown('Contracts', known.contracts, inBlocks),
    orKnown('Functions', known.functions, FUNCTION.test(text) ? searchFunctions(text) : Promise.resolve([])),
  ]);
  const ids = new Set(contracts.found);
  const standards = (await rows.catch(() => [])).flatMap(([kind, id]) =>
    ids.has(id) ? [[id, STANDARDS[kind] ?? kind] as const] : [],
  );
  const found = { typed, text, number, tokens, contracts, standards: new Map(standards), functions, troubles };
  return { ...found, address: contracts.found.length > 0 ? address : undefined };
}

export const TOKENS = 'search/tokens/index.json';
export type TokenRows = readonly TokenRow[];

export function requestBlockIndex(): Promise<ContractBlockIndex> {
  return ask('search/contracts/index.json');
}

export function askBlock<Rows>(id: string): Promise<Rows> {
  return ask(`search/contracts/${id}`);
}

/** Functions whose name begins so: none where the site has no such files. */
export async function searchFunctions(text: string): Promise<FunctionRow[]> {
  const fence = await ask<BlockIndex>('search/functions/index.json').catch((error: unknown) => {
    if (error instanceof SiteError && !error.isPassing) return [];
    throw error;
  });
  return findFunctions(fence, (id) => ask(`search/functions/${id}`), text);
}
