// Route metadata/v1/ft: all fungible tokens in pages, sorted by name, as the public API lists them.
import type { ValueForm } from '#model/site-rules.ts';
import { type AnsweredToken, answeredTokens, hasTokenChanged, readServedAmong } from '#store/contracts.ts';
import { readDocumentSummaries } from '#store/documents.ts';
import type { StoreReader } from '#store/index-database.ts';
import {
  type Described,
  indexFile,
  listPageFile,
  type Page,
  type RenderOptions,
  type Route,
  type RouteError,
  type Zod,
} from './route.ts';
import { NO_CHANGES, type StoredEntry } from './subject.ts';
import { composeTokenSummary, tokenAnswerSchema } from './token-answer.ts';
import { readTokenValues } from './tokens.ts';

const entrySchema = (z: Zod) =>
  tokenAnswerSchema(z).omit({ asset_identifier: true, metadata: true }).extend({ contract_principal: z.string() });

const schema = (z: Zod) =>
  z.strictObject({
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    total: z.int().nonnegative(),
    results: z.array(entrySchema(z)),
  });

type ListEntry = Described<typeof entrySchema>;

/** A part of the list: one may have megabytes, since a token's description may have one. */
interface ListSlice {
  readonly offset: number;
  readonly total: number;
  readonly results: readonly ListEntry[];
}

/** As the public API's, by default and at most. */
const PAGE_SIZE = 20;
const LARGEST_LIMIT = 60;
/** Results that are held at once: whole pages of every size. */
const SLICE_SIZE = 60;

/** For hosts without a program, an offset stands for the page that holds it: rules can match digits, not divide. */
const PAGE_OFFSETS: readonly ValueForm[] = [
  { pattern: '([0-9]|1[0-9])', value: '0' },
  { pattern: '([0-9]{0,6}[02468])[0-9]', value: '{1}0' },
  ...[1, 3, 5, 7, 9].map((tens) => ({ pattern: `([0-9]{0,6})${tens}[0-9]`, value: `{1}${tens - 1}0` })),
];

const BAD_PAGE: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message:
      `limit must be a number from 1 to ${LARGEST_LIMIT}, and offset one from 0; ` +
      `a host without a program serves whole pages of ${PAGE_SIZE}, up to the end of the list`,
  },
};

export const tokenList: Route<ListSlice> = {
  id: 'token-list',
  path: 'metadata/v1/ft',
  summary: 'All fungible tokens that have metadata or on-chain values, sorted by name',
  parameters: [],
  variants: [
    {
      name: 'offset',
      summary:
        `How many tokens to skip. A host without a program serves whole pages of ${PAGE_SIZE}: ` +
        'the one that contains the first token after those',
      forms: PAGE_OFFSETS,
      otherwise: BAD_PAGE,
    },
  ],
  list: { pageSize: PAGE_SIZE, largestLimit: LARGEST_LIMIT },
  ownErrors: [],
  schema,
  badRequest: BAD_PAGE,
  aboutTokens: true,

  subject: {
    name: 'token-list',
    async changes(store, sinceRevision, options) {
      if (sinceRevision > 0 && !(await hasTokenChanged(store, sinceRevision))) return NO_CHANGES;
      const tokens = await sortedTokens(store);
      const count = Math.max(1, Math.ceil(tokens.length / SLICE_SIZE));
      return { count, pages: slicesOf(store, tokens, options), isWhole: true };
    },
    open: (stored) => stored as ListSlice,
  },
  render: pagesOf,
};

async function sortedTokens(store: StoreReader): Promise<AnsweredToken[]> {
  const tokens: AnsweredToken[] = [];
  for await (const page of answeredTokens(store)) tokens.push(...page);
  return tokens.sort(byName);
}

async function* slicesOf(
  store: StoreReader,
  tokens: readonly AnsweredToken[],
  options: RenderOptions,
): AsyncGenerator<StoredEntry<ListSlice>[]> {
  for (let offset = 0; offset === 0 || offset < tokens.length; offset += SLICE_SIZE) {
    const ids = tokens.slice(offset, offset + SLICE_SIZE).map(({ contractId }) => contractId);
    const results = await readEntries(store, ids, options);
    const bytes = results.reduce((sum, entry) => sum + bytesOf(entry), 0);
    yield [{ key: sliceKey(offset), stored: { offset, total: tokens.length, results }, bytes }];
  }
}

/** In the order of the list. */
function sliceKey(offset: number): string {
  return String(offset).padStart(12, '0');
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
  return values.map((one) => {
    const summary = composeTokenSummary(one, documents.get(one.token.tokenId), options);
    return { ...summary, contract_principal: one.contract.contractId };
  });
}

function bytesOf(entry: ListEntry): number {
  return Object.values(entry).reduce<number>((sum, value) => sum + String(value).length, 0);
}

/** By name in code units, so that every machine sorts alike, then by principal; tokens without a name come last. */
function byName(left: AnsweredToken, right: AnsweredToken): number {
  if (left.name !== right.name) {
    if (left.name === undefined) return 1;
    return right.name === undefined || left.name < right.name ? -1 : 1;
  }
  return left.contractId < right.contractId ? -1 : 1;
}

/** Every page by number and by `?offset=`, the first one also at the path itself, and an empty one at the end. */
function* pagesOf({ offset: from, total, results: slice }: ListSlice): Generator<Page> {
  const file = indexFile(tokenList);
  const isLast = from + SLICE_SIZE >= total;
  const end = isLast ? total + PAGE_SIZE : from + SLICE_SIZE;
  for (let offset = from; offset < end; offset += PAGE_SIZE) {
    const results = slice.slice(offset - from, offset - from + PAGE_SIZE);
    const answer: Described<typeof schema> = { limit: PAGE_SIZE, offset, total, results };
    const body = JSON.stringify(answer);
    if (offset === 0) yield { kind: 'answer', path: file, body };
    if (offset === 0 || results.length > 0)
      yield { kind: 'answer', path: listPageFile(tokenList, offset / PAGE_SIZE + 1), body };
    // Includes the empty page: clients may read until they reach one.
    yield { kind: 'variant', path: file, parameter: 'offset', value: String(offset), body };
  }
}
