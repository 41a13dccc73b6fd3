// Route metadata/v1/ft: lists all fungible tokens in pages, sorted by name.

import { ADDRESS_PATTERN } from '#model/principal.ts';
import { partSource } from '#serving/rules.ts';
import { type AvailableToken, availableTokens, readServedAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import type { Described, ListPages, RouteError, Zod } from './route.ts';
import { siteList } from './site-list.ts';
import type { RenderOptions } from './subject.ts';
import { composeTokenSummary, tokenResponseSchema } from './token-response.ts';
import { readTokenValues } from './tokens.ts';

const entrySchema = (z: Zod) =>
  tokenResponseSchema(z).omit({ metadata: true }).extend({ contract_principal: z.string() });

type ListEntry = Described<typeof entrySchema>;

/** The page sizes of the list, and the parameters of the public API to search and sort it. */
const LIST: ListPages = {
  pageSizes: [20, 60],
  search: [
    { name: 'name', summary: 'Part of the name, case-insensitive' },
    { name: 'symbol', summary: 'The entire symbol, case-insensitive' },
    {
      name: 'address',
      summary: 'Address of the deployer, or a longer prefix of the principal',
      pattern: new RegExp(`^${partSource(ADDRESS_PATTERN)}.*$`),
    },
    { name: 'order_by', summary: 'Sort key; blank values come last', values: ['name', 'symbol'] },
    { name: 'order', summary: 'Sort order', values: ['asc', 'desc'] },
    { name: 'valid_metadata_only', summary: 'Leaves out tokens without metadata', values: ['false', 'true'] },
  ],
};

const BAD_PAGE: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message:
      'The value of limit, offset or another parameter is not supported. Hosts without server code take limit=20 ' +
      'or limit=60, an offset in the list that is a multiple of limit, and no other parameter. Other hosts take ' +
      'a limit from 1 to 60, an offset from 0, an address of 28 to 41 characters or more of a principal, ' +
      'order_by=name or symbol, order=asc or desc, and valid_metadata_only=true or false.',
  },
};

export const tokenList = siteList({
  id: 'token-list',
  path: 'metadata/v1/ft',
  summary: 'All fungible tokens that have metadata or on-chain values, sorted by name',
  inBuilds: 'ft',
  standard: 'sip-010',
  list: LIST,
  entry: entrySchema,
  badRequest: BAD_PAGE,
  rows: sortedTokens,
  read: readEntries,
  names: ({ contractId, name, symbol, hasMetadata }) => [contractId, name, symbol, hasMetadata],
});

async function sortedTokens(store: StoreReader): Promise<AvailableToken[]> {
  return (await Array.fromAsync(availableTokens(store))).flat().sort(byName);
}

async function readEntries(
  store: StoreReader,
  tokens: readonly AvailableToken[],
  options: RenderOptions,
): Promise<ListEntry[]> {
  const contractIds = tokens.map(({ contractId }) => contractId);
  const served = new Map(
    (await readServedAmong(store, contractIds)).map((contract) => [contract.contractId, contract]),
  );
  const inOrder = contractIds.flatMap((contractId) => served.get(contractId) ?? []);
  const values = await readTokenValues(store, inOrder);
  const tokenIds = values.map(({ token }) => token.tokenId);
  const documents = await readDocumentSummaries(store, tokenIds);
  return values.map((facts) => {
    const summary = composeTokenSummary(facts, documents.get(facts.token.tokenId), options);
    return { ...summary, contract_principal: facts.contract.contractId };
  });
}

/** Compares tokens by name in lower case, then by name, then by principal, in code units. Blank names come last. */
function byName(left: AvailableToken, right: AvailableToken): number {
  const [name, other] = [shownName(left), shownName(right)];
  if ((name === '') !== (other === '')) return name === '' ? 1 : -1;
  const [lower, otherLower] = [name.toLowerCase(), other.toLowerCase()];
  if (lower !== otherLower) return lower < otherLower ? -1 : 1;
  if (name !== other) return name < other ? -1 : 1;
  return left.contractId < right.contractId ? -1 : 1;
}

/** Returns the name of a token. Returns an empty text if the name has no visible character. */
function shownName({ name }: AvailableToken): string {
  return name.trim() === '' ? '' : name;
}
