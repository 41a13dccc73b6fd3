// stxpress find: finds tokens, collections and contracts in the index by symbol, name or the beginning of an address.

import { findContracts } from '#explorer/find-in-blocks.ts';
import { findTokens, type TokenRow } from '#explorer/find-tokens.ts';
import { readAddress, readSearchText } from '#explorer/search-text.ts';
import { fillPath, indexFile } from '#layout/response-files.ts';
import { stop } from '#model/failure.ts';
import { isBlank, UNNAMED } from '#model/shown-name.ts';
import { contractSearch, contractSearchBlock } from '#routes/contract-search.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import { pageFile } from '#routes/route.ts';
import type { ContractBlockIndex } from '#routes/search-blocks.ts';
import { tokenSearch } from '#routes/token-search.ts';
import type { StoreReader } from '#store/index-database.ts';
import { formatCount } from '#text/format-count.ts';
import { quote } from '#text/quote.ts';
import { commandWith } from './command-with.ts';
import type { SettingsOf } from './options.ts';
import { joinLines } from './terminal-reporter.ts';
import { readIndex } from './use-index.ts';
import type { Context } from './world.ts';

export async function run({ db, json, limit }: SettingsOf<'find'>, context: Context, text: string): Promise<undefined> {
  if (text.trim() === '')
    throw stop('usage', 'The search text is empty. Use a symbol, a name, or the beginning of an address.');
  const found = await readIndex(db, (store) => find(store, readSearchText(text).text, limit));
  context.print(json ? JSON.stringify(found, null, 2) : describe(found, db), { ...found });
}

type Found = Awaited<ReturnType<typeof find>>;

/** Renders the search files of a build in memory, and searches them as the explorer does. */
async function find(store: StoreReader, text: string, limit: number) {
  const files = new Map<string, string>();
  const routes = [tokenSearch, contractSearch, contractSearchBlock];
  for await (const { page } of renderedResponses(store, 'all', routes, { publicUrl: '' }))
    files.set(pageFile(page), page.body);
  const read = <Content>(path: string) => JSON.parse(files.get(path) ?? '[]') as Content;
  const tokens = findTokens(read<TokenRow[]>(indexFile(tokenSearch)), text);
  const blockIndex = read<ContractBlockIndex>(indexFile(contractSearch));
  const { found } = await findContracts(
    blockIndex,
    async (block) => read(fillPath(contractSearchBlock, { block })),
    readAddress(text) ?? text,
  );
  return {
    text,
    token_count: tokens.length,
    tokens: tokens
      .slice(0, limit)
      .map(([kind, principal, name = '', symbol = '']) => ({ kind, principal, name, symbol })),
    contract_count: found.length,
    contracts: found.slice(0, limit),
  };
}

function describe(found: Found, db: string): string {
  const { tokens, contracts } = found;
  return joinLines(
    `Tokens and collections: ${formatCount(found.token_count)}`,
    tokens.map((token) => `  ${token.kind.padEnd(3)}  ${token.principal}  ${describeNames(token)}`),
    moreOf(found.token_count, tokens),
    `Contracts: ${formatCount(found.contract_count)}`,
    contracts.map((id) => `  ${id}`),
    moreOf(found.contract_count, contracts),
    found.token_count + found.contract_count === 0 &&
      `Try fewer letters, or show the contents of the index: ${commandWith('status', { db })}`,
  );
}

/** Formats the names of a token, quoted since they are untrusted. A collection has only the name of its first token. */
function describeNames({ kind, name, symbol }: Found['tokens'][number]): string {
  if (kind !== 'ft') return isBlank(name) ? '' : `first token: ${quote(name)}`;
  const shown = isBlank(name) ? UNNAMED : quote(name);
  return isBlank(symbol) ? shown : `${quote(symbol)}  ${shown}`;
}

function moreOf(all: number, { length }: readonly unknown[]): string | false {
  return all > length && `  … and ${formatCount(all - length)} more: --limit ${all} shows them`;
}
