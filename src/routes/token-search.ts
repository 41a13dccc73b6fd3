// Route search/tokens: all fungible tokens and collections in one file. Clients search it by symbol or name.

import { indexFile } from '#layout/response-files.ts';
import { beginOfName, isBlank } from '#model/shown-name.ts';
import { type CollectionStandard, isCollectionStandard, kindOf, TOKEN_STANDARDS } from '#model/token.ts';
import { countCallers } from '#store/contracts/call-graph.ts';
import { availableTokens, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { readFirstDocuments } from './served-collections.ts';
import { type RenderOptions, siteSubject, standardsOf } from './subject.ts';
import { imageUris } from './token-response.ts';

const schema = (z: Zod) =>
  z
    .array(z.array(z.string()).min(2).max(6))
    .describe(
      'Kind (`ft`, `nft` or `sft`), principal, name, symbol, URI of the thumbnail, and number of calling contracts, ' +
        'rounded down to a power of two. Missing and invisible values are empty, or omitted at the end of a row. A ' +
        'collection has the values of its first token',
    );

type Row = Described<typeof schema>[number];
/** The kind, contract id, name, symbol and thumbnail of a token. */
type Token = readonly [string, string, string | undefined, string | undefined, string | undefined];

export const tokenSearch: Route<readonly Row[]> = {
  id: 'token-search',
  path: 'search/tokens',
  summary: 'All fungible tokens and collections, sorted by principal, to search by symbol or name',
  parameters: [],
  schema,
  inBuilds: 'all',

  subject: siteSubject(readRows, {
    // The file has the number of callers, and a new contract may call any of these tokens.
    hasChanged: async (store, sinceRevision) =>
      (await changedContracts(store, sinceRevision, ['contract', 'token', 'collection'])).size > 0,
  }),

  render: (rows) => [jsonPage(indexFile(tokenSearch), rows.toSorted(byPrincipal))],
};

async function readRows(store: StoreReader, options: RenderOptions): Promise<Row[]> {
  const standards = standardsOf(options) ?? TOKEN_STANDARDS;
  return withCallers(store, [
    ...(standards.includes('sip-010') ? await fungibleRows(store, options) : []),
    ...(await collectionRows(store, standards.filter(isCollectionStandard), options)),
  ]);
}

async function fungibleRows(store: StoreReader, options: RenderOptions): Promise<Token[]> {
  const rows: Token[] = [];
  for await (const page of availableTokens(store)) {
    const tokenIds = page.map(({ tokenId }) => tokenId);
    const documents = await readDocumentSummaries(store, tokenIds);
    for (const { tokenId, contractId, name, symbol } of page) {
      rows.push(['ft', contractId, name, symbol, imageUris(documents.get(tokenId)?.image, options).thumbnail]);
    }
  }
  return rows;
}

async function collectionRows(
  store: StoreReader,
  standards: readonly CollectionStandard[],
  options: RenderOptions,
): Promise<Token[]> {
  const rows: Token[] = [];
  for await (const page of servedContracts(store, standards)) {
    const documents = await readFirstDocuments(store, page);
    for (const { contractId, deployId, standard } of page) {
      if (!isCollectionStandard(standard)) continue;
      const first = documents.get(deployId);
      const name = first?.name && beginOfName(first.name);
      rows.push([kindOf(standard), contractId, name, undefined, imageUris(first?.image, options).thumbnail]);
    }
  }
  return rows;
}

async function withCallers(store: StoreReader, tokens: readonly Token[]): Promise<Row[]> {
  const contractIds = tokens.map(([, contractId]) => contractId);
  const callers = await countCallers(store, contractIds);
  return tokens.map(([kind, contractId, ...values]) => {
    const count = callers.get(contractId);
    // The number of callers is rounded down to a power of two, so that a new caller seldom changes the file.
    return rowOf(kind, contractId, [...values, count && String(2 ** Math.floor(Math.log2(count)))]);
  });
}

/** Makes a row. A value without visible characters becomes an empty text; empty texts at the end are omitted. */
function rowOf(kind: string, contractId: string, values: readonly (string | 0 | undefined)[]): Row {
  const shown = values.map((value) => (!value || isBlank(value) ? '' : value));
  return [kind, contractId, ...shown.slice(0, shown.findLastIndex((value) => value !== '') + 1)];
}

function byPrincipal([, left = '']: Row, [, right = '']: Row): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
