// Searches the site for what was typed: tokens in one file, contracts in the blocks that may have them.
import { readAsked } from './asked.ts';
import { type ContractFence, type FoundContracts, findContracts } from './find-contracts.ts';
import { findTokens, type TokenRow } from './find-tokens.ts';
import { ask, toTrouble } from './site.ts';

export interface Found {
  /** The text as it was typed. */
  readonly typed: string;
  /** The text that was looked for. */
  readonly text: string;
  /** The number of a token of the collections that were found. */
  readonly number: string | undefined;
  readonly tokens: readonly TokenRow[];
  readonly contracts: FoundContracts;
  /** Sentences that say what could not be looked through, and why. */
  readonly troubles: readonly string[];
}

const NOTHING = { tokens: [], contracts: { found: [], families: [], read: 0, of: 0 } } as const;

/** All tokens, and so many contracts at least, where there are. What cannot be looked through stays as it was known. */
export async function search(
  typed: string,
  contracts: number,
  known: Pick<Found, 'tokens' | 'contracts'> = NOTHING,
): Promise<Found> {
  const { text, number } = readAsked(typed);
  const troubles: string[] = [];
  const orKnown =
    <Part>(what: string, part: Part) =>
    (error: unknown) => {
      troubles.push(`${what} could not be searched. ${toTrouble(error).message}`);
      return part;
    };
  const [foundTokens, foundContracts] = await Promise.all([
    searchTokens(text).catch(orKnown('Tokens', known.tokens)),
    searchContracts(text, contracts).catch(orKnown('Contracts', known.contracts)),
  ]);
  return { typed, text, number, tokens: foundTokens, contracts: foundContracts, troubles };
}

async function searchTokens(text: string): Promise<readonly TokenRow[]> {
  return findTokens(await ask<TokenRow[]>('search/tokens/index.json'), text);
}

async function searchContracts(text: string, enough: number): Promise<FoundContracts> {
  const fence = await ask<ContractFence>('search/contracts/index.json');
  return findContracts(fence, (id) => ask(`search/contracts/${id}`), text, enough);
}
