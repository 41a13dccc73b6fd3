// Routes search/functions: blocks and a fence to find the contracts that define a public or read-only function.

import { fillPath, indexFile } from '#serving/layout.ts';
import { type FunctionOwners, readFunctionOwners, sortKey } from '#store/contracts/function-owners.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { BLOCK_ID, blockId, blocksOf, type Fence, fenceSchema, type StoredBlock } from './fenced-blocks.ts';
import type { Page, Route } from './route.ts';
import { type SearchRow, USUAL_ROWS } from './search-blocks.ts';
import { NO_CHANGES, type StoredEntry, type Subject } from './subject.ts';

type Stored = { readonly fence: Fence } | StoredBlock;

/** Contracts listed for a name; of contracts with the same functions, the first stands for all. */
const MAX_LISTED = 50;
const ORDER = 'function';
const NAMES_PER_PAGE = 1_000;

const subject: Subject<Stored, Stored> = {
  name: 'function-search',
  spans: 'site',
  async changes(store, sinceRevision) {
    if (sinceRevision > 0 && (await changedContracts(store, sinceRevision, ['contract'])).size === 0) return NO_CHANGES;
    const owners = await readFunctionOwners(store, MAX_LISTED);
    return { count: Math.ceil(owners.size / USUAL_ROWS) + 1, pages: entriesOf(owners), isWhole: true };
  },
  open: (stored) => stored,
};

export const functionSearch: Route<Stored> = {
  id: 'function-search',
  path: 'search/functions',
  summary: 'Fence to find a function by a prefix of its lower-case name: first key and id of each block',
  parameters: [],
  schema: fenceSchema,
  about: 'contracts',
  subject,
  *render(stored): Generator<Page> {
    if ('fence' in stored)
      yield { kind: 'answer', path: indexFile(functionSearch), body: JSON.stringify(stored.fence) };
  },
};

export const functionSearchBlock: Route<Stored> = {
  id: 'function-search-block',
  path: 'search/functions/{function_block}',
  summary: 'A block of functions: names, the number of contracts that define each, and the first of these',
  parameters: [{ name: 'function_block', pattern: BLOCK_ID }],
  schema: (z) =>
    z
      .array(z.array(z.union([z.string(), z.int()])).min(2))
      .describe(
        `\`["name", 1234, "SP….contract", …]\`: the first ${MAX_LISTED} contracts that differ in their functions, in the ` +
          'order of their deploys; a name that another block began has no number',
      ),
  about: 'contracts',
  subject,
  *render(stored): Generator<Page> {
    if ('id' in stored)
      yield {
        kind: 'answer',
        path: fillPath(functionSearchBlock, { function_block: stored.id }),
        body: JSON.stringify(stored.rows),
      };
  },
};

async function* entriesOf(owners: FunctionOwners): AsyncGenerator<StoredEntry<Stored>[]> {
  const fence: Fence = [];
  yield* blocksOf(ORDER, rowsOf(owners), fence);
  yield [{ key: 'whole', stored: { fence } }];
}

async function* rowsOf(owners: FunctionOwners): AsyncGenerator<SearchRow[]> {
  const names = [...owners.keys()].sort((left, right) => (sortKey(left) < sortKey(right) ? -1 : 1));
  for (let start = 0; start < names.length; start += NAMES_PER_PAGE)
    yield names.slice(start, start + NAMES_PER_PAGE).flatMap((name) => {
      const { count, first } = owners.get(name) ?? { count: 0, first: [] };
      return [count, ...first].map((member, index) => ({ key: rowKey(name, index), group: name, member }));
    });
}

const rowKey = (name: string, index: number): string => `${sortKey(name)} ${String(index).padStart(3, '0')}`;

/** Id of the block that begins with this function. */
export function functionBlockId(firstName: string): string {
  return blockId(`${ORDER} ${rowKey(firstName, 0)}`);
}
