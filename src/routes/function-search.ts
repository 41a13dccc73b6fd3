// Routes search/functions: files to find the contracts that define a public or read-only function. They are blocks of
// rows, and an index of these blocks.

import { type FunctionOwners, readFunctionOwners, sortKey } from '#store/contracts/function-owners.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import {
  type BlockIndex,
  blockId,
  blockIndexSchema,
  blocksOf,
  type SearchPart,
  type SearchRow,
  searchRoutes,
  USUAL_ROWS,
} from './search-blocks.ts';
import { NO_CHANGES, type StoredEntry } from './subject.ts';

/**
 * The maximum number of contracts that are listed for a function name. If several contracts have the same functions,
 * only the first is listed.
 */
const MAX_LISTED = 50;
const ORDER = 'function';
const NAMES_PER_PAGE = 1_000;

export const [functionSearch, functionSearchBlock] = searchRoutes<BlockIndex>({
  id: 'function-search',
  path: 'search/functions',
  summary: 'Block index to find a function by a prefix of its lower-case name: first key and id of each block',
  about: 'contracts',
  schema: blockIndexSchema,
  async changes(store, sinceRevision) {
    if (sinceRevision > 0 && (await changedContracts(store, sinceRevision, ['contract'])).size === 0) return NO_CHANGES;
    const owners = await readFunctionOwners(store, MAX_LISTED);
    return { count: Math.ceil(owners.size / USUAL_ROWS) + 1, pages: entriesOf(owners), isComplete: true };
  },
  block: {
    name: 'function_block',
    summary: 'A block of functions: name, number of contracts that define it, and the first contracts',
    rows:
      `\`["name", 1234, "SP….contract", …]\`: the first ${MAX_LISTED} contracts with different functions, in ` +
      'deploy order. A name that continues from the previous block has no number',
  },
});

async function* entriesOf(owners: FunctionOwners): AsyncGenerator<StoredEntry<SearchPart<BlockIndex>>[]> {
  const blockIndex: BlockIndex = [];
  yield* blocksOf(ORDER, rowsOf(owners), blockIndex);
  yield [{ key: 'whole', stored: { blockIndex } }];
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

export function functionBlockId(firstName: string): string {
  return blockId(`${ORDER} ${rowKey(firstName, 0)}`);
}
