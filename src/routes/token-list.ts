// Route metadata/v1/ft: all fungible tokens in pages, sorted by name, as the public API lists them.
import type { ValueForm } from '#model/site-rules.ts';
import { answeredTokens, hasTokenChanged } from '#store/contracts.ts';
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

/** As the public API's, by default and at most. */
const PAGE_SIZE = 20;
const LARGEST_LIMIT = 60;

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

export const tokenList: Route<readonly ListEntry[]> = {
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

/** Every page by number and by `?offset=`, the first one also at the path itself, and an empty one at the end. */
function pagesOf(entries: readonly ListEntry[]): Page[] {
  const file = indexFile(tokenList);
  const pages: Page[] = [];
  for (let offset = 0; offset < entries.length + PAGE_SIZE; offset += PAGE_SIZE) {
    const results = entries.slice(offset, offset + PAGE_SIZE);
    const answer: Described<typeof schema> = { limit: PAGE_SIZE, offset, total: entries.length, results };
    const body = JSON.stringify(answer);
    if (offset === 0) pages.push({ kind: 'answer', path: file, body });
    if (offset === 0 || results.length > 0)
      pages.push({ kind: 'answer', path: listPageFile(tokenList, offset / PAGE_SIZE + 1), body });
    // Includes the empty page: clients may read until they reach one.
    pages.push({ kind: 'variant', path: file, parameter: 'offset', value: String(offset), body });
  }
  return pages;
}
