// Route metadata/v1/ft: all fungible tokens in pages, sorted by name, as the public API lists them.

import { ADDRESS_PATTERN } from '#model/principal.ts';
import { listNamesFile } from '#serving/layout.ts';
import { partSource } from '#serving/rules.ts';
import { readCode } from '#store/chain/code-columns.ts';
import { type AnsweredToken, answeredTokens, hasTokenChanged, readServedAmong } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { readDocumentSummaries } from '#store/tokens/documents.ts';
import {
  type ListPart,
  listDigest,
  listPages,
  listSchema,
  MANIFEST_KEY,
  pageDigest,
  partCount,
  SLICE_SIZE,
  sliceKey,
  sliceOffsets,
} from './list-pages.ts';
import type { Described, ListPages, Page, Route, RouteError, Zod } from './route.ts';
import type { RenderOptions } from './subject.ts';
import { NO_CHANGES, type StoredEntry } from './subject.ts';
import { composeTokenSummary, tokenAnswerSchema } from './token-answer.ts';
import { openInterface, readTokenValues } from './tokens.ts';

const entrySchema = (z: Zod) =>
  tokenAnswerSchema(z).omit({ metadata: true }).extend({ contract_principal: z.string() });

const schema = (z: Zod) => listSchema(z, entrySchema(z));

type ListEntry = Described<typeof entrySchema>;

/** A slice may have megabytes, since a token's description may have one. The names file comes with the manifest. */
type TokenPart = ListPart<ListEntry> & { readonly names?: string };

/** The page sizes, and the parameters by which the public API finds and sorts tokens. */
const LIST: ListPages = {
  pageSizes: [20, 60],
  search: [
    { name: 'name', summary: 'Part of the name, case-insensitive' },
    { name: 'symbol', summary: 'The whole symbol, case-insensitive' },
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
      'limit must be a number from 1 to 60, offset one from 0, address one of 28 to 41 characters, or more of a ' +
      'principal, order_by name or symbol, order asc or desc, and valid_metadata_only true or false; ' +
      'a host without a program takes limit=20 or 60, an offset within the list that is a multiple of it, ' +
      'and no other parameter of the list',
  },
};

export const tokenList: Route<TokenPart> = {
  id: 'token-list',
  path: 'metadata/v1/ft',
  summary: 'All fungible tokens that have metadata or on-chain values, sorted by name',
  parameters: [],
  variants: [],
  list: LIST,
  ownErrors: [],
  schema,
  badRequest: BAD_PAGE,
  about: 'ft',

  subject: {
    name: 'token-list',
    spans: 'site',
    async changes(store, sinceRevision, options) {
      if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision, ['sip-010']))) return NO_CHANGES;
      const tokens = await sortedTokens(store);
      const count = partCount(tokens.length);
      return { count, pages: partsOf(store, tokens, options), isWhole: true };
    },
    open: (stored) => stored as TokenPart,
  },
  render: pagesOf,
};

async function sortedTokens(store: StoreReader): Promise<AnsweredToken[]> {
  const tokens: AnsweredToken[] = [];
  for await (const page of answeredTokens(store)) tokens.push(...page);
  return tokens.sort(byName);
}

async function* partsOf(
  store: StoreReader,
  tokens: readonly AnsweredToken[],
  options: RenderOptions,
): AsyncGenerator<StoredEntry<TokenPart>[]> {
  const total = tokens.length;
  const pages: string[] = [];
  for (const offset of sliceOffsets(total)) {
    const ids = tokens.slice(offset, offset + SLICE_SIZE).map(({ contractId }) => contractId);
    const results = await readEntries(store, ids, options);
    const bytes = results.reduce((sum, entry) => sum + bytesOf(entry), 0);
    const slice = { offset, total, results };
    pages.push(pageDigest(slice));
    yield [{ key: sliceKey(offset), stored: slice, bytes }];
  }
  const names = JSON.stringify(
    tokens.map(({ contractId, name, symbol, hasMetadata }) => [contractId, name, symbol, hasMetadata]),
  );
  yield [{ key: MANIFEST_KEY, stored: { manifest: { total, names: listDigest(names), pages }, names } }];
}

async function readEntries(
  store: StoreReader,
  contractIds: readonly string[],
  options: RenderOptions,
): Promise<ListEntry[]> {
  const served = new Map((await readServedAmong(store, contractIds)).map((one) => [one.contractId, one]));
  const inOrder = contractIds.flatMap((contractId) => served.get(contractId) ?? []);
  const values = await readTokenValues(store, inOrder);
  const tokenIds = values.map(({ token }) => token.tokenId);
  const documents = await readDocumentSummaries(store, tokenIds);
  const deployIds = values.map(({ contract }) => contract.deployId);
  const codes = await readCode(store, deployIds);
  return values.flatMap((one) => {
    const code = codes.get(one.contract.deployId);
    if (code === undefined) return [];
    const facts = { ...one, contractInterface: openInterface(code) };
    const summary = composeTokenSummary(facts, documents.get(one.token.tokenId), options);
    return [{ ...summary, contract_principal: one.contract.contractId }];
  });
}

function bytesOf(entry: ListEntry): number {
  return Object.values(entry).reduce<number>((sum, value) => sum + String(value).length, 0);
}

/**
 * Sorts by lower-case name, then by exact name, then by principal; in code units, so that every machine sorts alike.
 * Blank names come last, like missing ones.
 */
function byName(left: AnsweredToken, right: AnsweredToken): number {
  const [name, other] = [shownName(left), shownName(right)];
  if ((name === '') !== (other === '')) return name === '' ? 1 : -1;
  const [lower, otherLower] = [name.toLowerCase(), other.toLowerCase()];
  if (lower !== otherLower) return lower < otherLower ? -1 : 1;
  if (name !== other) return name < other ? -1 : 1;
  return left.contractId < right.contractId ? -1 : 1;
}

/** Empty for a name without visible characters. */
function shownName({ name }: AnsweredToken): string {
  return name.trim() === '' ? '' : name;
}

function* pagesOf(part: TokenPart): Generator<Page> {
  yield* listPages(tokenList.path, LIST, part);
  if (part.names !== undefined) yield { kind: 'answer', path: listNamesFile(tokenList), body: part.names };
}
