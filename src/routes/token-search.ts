// Route search/tokens: all fungible tokens and collections in one file. Clients search it by symbol or name.

import { indexFile } from '#layout/response-files.ts';
import { beginOfName, isBlank } from '#model/shown-name.ts';
import { type CollectionStandard, isCollectionStandard, kindOf, TOKEN_STANDARDS } from '#model/token.ts';
import { countCallingAddresses } from '#store/contracts/call-graph.ts';
import { availableTokens, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { countTokensOf } from '#store/tokens/collection-states.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import { readFirstDocuments } from './served-collections.ts';
import { type RenderOptions, siteSubject, standardsOf } from './subject.ts';
import { imageUris } from './token-response.ts';

const schema = (z: Zod) =>
  z
    .array(z.array(z.string()).min(2).max(7))
    .describe(
      'Kind (`ft`, `nft` or `sft`), principal, name, symbol, URI of the thumbnail, number of addresses whose contracts ' +
        'call it, and number of minted items of a collection. Missing and invisible values, and 0, are empty, or ' +
        'omitted at the end of a row. A collection has the values of its first token',
    );

type Row = Described<typeof schema>[number];

interface Token {
  readonly kind: string;
  readonly contractId: string;
  readonly name: string | undefined;
  readonly symbol?: string | undefined;
  readonly thumbnail: string | undefined;
  /** The number of minted items of a collection. */
  readonly items?: number | undefined;
}

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
      const { thumbnail } = imageUris(documents.get(tokenId)?.image, options);
      rows.push({ kind: 'ft', contractId, name, symbol, thumbnail });
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
    const counts = await countTokensOf(
      store,
      page.map(({ deployId }) => deployId),
    );
    for (const { contractId, deployId, standard } of page) {
      if (!isCollectionStandard(standard)) continue;
      const first = documents.get(deployId);
      const name = first?.name && beginOfName(first.name);
      const { thumbnail } = imageUris(first?.image, options);
      rows.push({ kind: kindOf(standard), contractId, name, thumbnail, items: counts.get(deployId)?.minted });
    }
  }
  return rows;
}

async function withCallers(store: StoreReader, tokens: readonly Token[]): Promise<Row[]> {
  const contractIds = tokens.map(({ contractId }) => contractId);
  const callers = await countCallingAddresses(store, contractIds);
  return tokens.map(({ kind, contractId, name, symbol, thumbnail, items }) => {
    const values = [name, symbol, thumbnail, callers.get(contractId), items];
    const shown = values.map((value) => (!value || isBlank(String(value)) ? '' : String(value)));
    return [kind, contractId, ...shown.slice(0, shown.findLastIndex((value) => value !== '') + 1)];
  });
}

function byPrincipal([, left = '']: Row, [, right = '']: Row): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
