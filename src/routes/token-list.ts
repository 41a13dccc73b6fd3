// Route metadata/v1/ft: all fungible tokens in pages, sorted by name, as the public API lists them.
import { answeredTokens, hasTokenChanged } from '#store/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import {
  type Described,
  indexFile,
  type ListPages,
  listNamesFile,
  listPageFile,
  type Page,
  type RenderOptions,
  type Route,
  type RouteError,
  type Zod,
} from './route.ts';
import { NO_CHANGES, oneEntry } from './subject.ts';
import { composeTokenSummary, defaultDocument, tokenAnswerSchema } from './token-answer.ts';
import { tokens, withTokens } from './tokens.ts';

const entrySchema = (z: Zod) =>
  tokenAnswerSchema(z).omit({ metadata: true }).extend({ contract_principal: z.string() });

const schema = (z: Zod) =>
  z.strictObject({
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    total: z.int().nonnegative(),
    results: z.array(entrySchema(z)),
  });

type ListEntry = Described<typeof entrySchema>;

/** The sizes of its pages, and the parameters by which the public API finds and sorts tokens. */
const LIST: ListPages = {
  pageSizes: [20, 60],
  search: [
    { name: 'name', summary: 'Part of the name, in any case' },
    { name: 'symbol', summary: 'The whole symbol, in any case' },
    { name: 'address', summary: 'Who deployed the contract' },
    { name: 'order_by', summary: 'What to sort by; blank ones come last', values: ['name', 'symbol'] },
    { name: 'order', summary: 'In which order', values: ['asc', 'desc'] },
  ],
};

const BAD_PAGE: RouteError = {
  status: 400,
  body: {
    error: 'Bad Request',
    message:
      'limit must be a number from 1 to 60, offset one from 0, order_by name or symbol, and order asc or desc; ' +
      'a host without a program takes limit=20 or 60, an offset within the list that is a multiple of it, ' +
      'and no other parameter of the list',
  },
};

export const tokenList: Route<readonly ListEntry[]> = {
  id: 'token-list',
  path: 'metadata/v1/ft',
  summary: 'All fungible tokens that have metadata or on-chain values, sorted by name',
  parameters: [],
  variants: [],
  list: LIST,
  ownErrors: [],
  schema,
  badRequest: BAD_PAGE,
  aboutTokens: true,

  subject: {
    name: 'token-list',
    async changes(store, sinceRevision, options) {
      const hasChanged = sinceRevision === 0 || (await hasTokenChanged(store, sinceRevision));
      return hasChanged ? oneEntry(() => readEntries(store, options)) : NO_CHANGES;
    },
    open: (stored) => stored as readonly ListEntry[],
  },
  render: pagesOf,
};

async function readEntries(store: StoreReader, options: RenderOptions): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  for await (const page of withTokens(store, answeredTokens(store))) {
    for (const { key, stored } of page) {
      if (stored === undefined) continue;
      const token = tokens.open(stored);
      entries.push({ ...composeTokenSummary(token, defaultDocument(token), options), contract_principal: key });
    }
  }
  return entries.sort(byName);
}

/** By name in code units, so that every machine sorts alike, then by principal; blank names come last, as none do. */
function byName(left: ListEntry, right: ListEntry): number {
  const [name, other] = [shownName(left), shownName(right)];
  if (name !== other) {
    if (name === '') return 1;
    return other === '' || name < other ? -1 : 1;
  }
  return left.contract_principal < right.contract_principal ? -1 : 1;
}

/** Empty for a name that shows nothing. */
function shownName({ name = '' }: ListEntry): string {
  return name.trim() === '' ? '' : name;
}

/** The list of each page size, with the empty page at its end, for clients that read until they reach it. */
function pagesOf(entries: readonly ListEntry[]): Page[] {
  const answer = (limit: number, offset: number): string => {
    const results = entries.slice(offset, offset + limit);
    return JSON.stringify({ limit, offset, total: entries.length, results } satisfies Described<typeof schema>);
  };
  const offsets = (limit: number) =>
    Array.from({ length: Math.ceil(entries.length / limit) + 1 }, (_, index) => index * limit);
  const names = entries.map(({ contract_principal, name = '', symbol = '' }) => [contract_principal, name, symbol]);
  return [
    { kind: 'answer', path: indexFile(tokenList), body: answer(LIST.pageSizes[0], 0) },
    { kind: 'answer', path: listNamesFile(tokenList), body: JSON.stringify(names) },
    ...LIST.pageSizes.flatMap((limit) =>
      offsets(limit).map((offset): Page => {
        const path = listPageFile(tokenList, limit, offset);
        return { kind: 'answer', path, body: answer(limit, offset) };
      }),
    ),
  ];
}
