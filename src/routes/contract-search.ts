// Routes search/contracts: files to find contracts by the beginning of a name or address. They are blocks of rows, and
// indexes of these blocks.

import { indexFile } from '#layout/response-files.ts';
import { splitContractId } from '#model/principal.ts';
import type { TokenStandard } from '#model/token.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import {
  contractIdsInOrder,
  contractsByName,
  haveNamesChanged,
  type NamedContract,
} from '#store/contracts/contract-names.ts';
import { hasTokenChanged, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countAllContracts } from '#store/status/count-contracts.ts';
import { packBlock, RunCounts } from './pack-names.ts';
import { jsonPage, type Route } from './route.ts';
import {
  type BlockIndex,
  blockId,
  blockIndexSchema,
  blocksOf,
  type ContractBlockIndex,
  type NamePattern,
  type SearchPart,
  type SearchRow,
  searchRoutes,
  USUAL_ROWS,
} from './search-blocks.ts';
import { NO_CHANGES, type StoredEntry, standardsOf } from './subject.ts';

/**
 * The minimum number of names with the same pattern. Names of such a pattern get separate blocks; half of mainnet's
 * names are like `bns-1234-v5`.
 */
const PATTERN_SIZE = 1_000;
/** The maximum number of rows in memory, of 100 bytes each. A single pattern may have more. */
const MAX_BUFFERED_ROWS = 100_000;
/** Replaces each run of digits in a pattern. It does not occur in names, and it sorts before digits. */
const DIGITS = '#';

const BY_ADDRESS = 'address';

export const [contractSearch, contractSearchBlock] = searchRoutes<ContractBlockIndex>({
  id: 'contract-search',
  path: 'search/contracts',
  summary: 'Block indexes to find a contract by a prefix of its lower-case name or id: first key and id of each block',
  about: 'tokens',
  schema: (z) => {
    const blockIndex = blockIndexSchema(z);
    return z.strictObject({
      names: blockIndex.describe(
        'Keys are lower-case names; a space and a contract id follow if a block continues a name',
      ),
      families: z
        .record(z.string(), blockIndex)
        .describe('Block indexes of names that differ only in digits, by pattern'),
      addresses: blockIndex.describe('Keys are contract ids'),
    });
  },
  async changes(store, sinceRevision, options) {
    const standards = standardsOf(options);
    const hasChanged = () =>
      standards === undefined
        ? haveNamesChanged(store, sinceRevision)
        : hasTokenChanged(store, sinceRevision, standards);
    if (sinceRevision > 0 && !(await hasChanged())) return NO_CHANGES;
    const contracts = await readOrders(store, standards);
    const count = 2 * Math.ceil(contracts.count / USUAL_ROWS) + 1;
    return { count, pages: entriesOf(contracts), isComplete: true };
  },
  block: {
    name: 'block',
    summary: 'A block of contracts: names with their addresses, or addresses with their names',
    rows: '`["name", "SP…", "SP…"]`, `["SP…", "name"]`, or a pattern and its count of names, `["bns-#-v#", 54321]`',
  },
});

/** Serves all names in one file, to search for a part of a name. */
export const contractNames: Route<SearchPart<ContractBlockIndex>> = {
  id: 'contract-names',
  path: 'search/names',
  summary: 'All names of contracts in one file, to search for a part of a name',
  parameters: [],
  schema: (z) =>
    z.strictObject({
      blocks: z
        .array(z.array(z.string()).length(2))
        .describe(
          'The id of each block of search/contracts, and its names in lower case, sorted, separated by commas. Each ' +
            'name begins with the length of the text that it shares with the name before it, in base 36; after a ' +
            'space follows the number of its contracts, if there are several',
        ),
      patterns: z
        .array(z.tuple([z.string(), z.int(), z.array(z.union([z.record(z.string(), z.int()), z.null()]))]))
        .describe(
          'Names that differ only in digits, which the blocks lack: the pattern, its number of contracts and, for each ' +
            'run of digits, the number of contracts by value; null if the run has many values',
        ),
    }),
  about: 'tokens',
  subject: contractSearch.subject,
  render: (part) => ('blockIndex' in part && part.names ? [jsonPage(indexFile(contractNames), part.names)] : []),
};

type Orders = Awaited<ReturnType<typeof readOrders>>;

/**
 * Returns functions that read the searchable contracts, in order of address or of name, and the number of these
 * contracts.
 */
async function readOrders(store: StoreReader, standards: readonly TokenStandard[] | undefined) {
  const served = standards && (await Array.fromAsync(servedContracts(store, standards))).flat();
  const ids = served && new Set(served.map(({ contractId }) => contractId));
  const isIncluded = (contractId: string) => ids?.has(contractId) ?? true;
  return {
    count: ids?.size ?? (await countAllContracts(store)),
    async *byAddress() {
      for await (const page of contractIdsInOrder(store)) yield page.filter(isIncluded);
    },
    async *byName(range?: Parameters<typeof contractsByName>[1]) {
      for await (const page of contractsByName(store, range))
        yield page.filter(({ contractId }) => isIncluded(contractId));
    },
  };
}

/**
 * Yields entries sorted by key: blocks of addresses, blocks of each pattern, blocks of names. The last entry has all
 * block indexes.
 */
async function* entriesOf(contracts: Orders): AsyncGenerator<StoredEntry<SearchPart<ContractBlockIndex>>[]> {
  const patternSizes = await findNamePatterns(contracts);
  const blockIndex = {
    names: [] as BlockIndex,
    families: {} as Record<string, BlockIndex>,
    addresses: [] as BlockIndex,
  };
  const nameBlocks: (readonly [string, string])[] = [];
  const namePatterns: NamePattern[] = [];
  yield* blocksOf(BY_ADDRESS, rowsByAddress(contracts), blockIndex.addresses);
  for (const group of groupPatterns(patternSizes)) {
    const rowsByPattern = group.length > 1 ? await readPatternGroup(contracts, group) : undefined;
    for (const pattern of group) {
      const rows = rowsByPattern?.get(pattern);
      const patternIndex: BlockIndex = [];
      blockIndex.families[pattern] = patternIndex;
      const runs = new RunCounts();
      const counted = runs.count(rows ? inPages(rows) : patternRows(contracts, pattern));
      yield* blocksOf(`family ${pattern}`, counted, patternIndex);
      namePatterns.push([pattern, patternSizes.get(pattern) ?? 0, runs.values]);
    }
  }
  for await (const entries of blocksOf('name', rowsByName(contracts, patternSizes), blockIndex.names)) {
    for (const { stored } of entries) if (stored !== undefined) nameBlocks.push(packBlock(stored));
    yield entries;
  }
  yield [{ key: 'whole', stored: { blockIndex, names: { blocks: nameBlocks, patterns: namePatterns } } }];
}

export function addressBlockId(firstContractId: string): string {
  return blockId(`${BY_ADDRESS} ${firstContractId}`);
}

async function* rowsByAddress({ byAddress }: Orders): AsyncGenerator<SearchRow[]> {
  for await (const page of byAddress())
    yield page.map((key) => {
      const { address, name } = splitContractId(key);
      return { key, group: address, member: name };
    });
}

/**
 * Yields rows sorted by name. Names of a pattern with separate blocks are one row: the pattern and its number of names.
 */
async function* rowsByName({ byName }: Orders, patternSizes: ReadonlyMap<string, number>): AsyncGenerator<SearchRow[]> {
  const open = [...patternSizes];
  const patternsBefore = (name: string) => {
    const end = open.findIndex(([pattern]) => pattern >= name);
    const before = open.splice(0, end === -1 ? open.length : end);
    return before.map(([pattern, size]): SearchRow => ({ key: pattern, group: pattern, member: size }));
  };
  for await (const page of byName())
    yield page.flatMap((contract) => [
      ...patternsBefore(contract.lowerName),
      ...(patternSizes.has(patternOf(contract.lowerName)) ? [] : [rowOf(contract)]),
    ]);
  yield patternsBefore('\u{10ffff}');
}

async function* patternRows({ byName }: Orders, pattern: string): AsyncGenerator<SearchRow[]> {
  for await (const page of byName(rangeOf(pattern)))
    yield page.filter(({ lowerName }) => patternOf(lowerName) === pattern).map(rowOf);
}

/** Groups patterns with the same text before their first digits, so that one query reads the names of a group. */
function* groupPatterns(patternSizes: ReadonlyMap<string, number>): Generator<string[]> {
  for (const [, patterns] of Map.groupBy(patternSizes.keys(), prefixOf))
    yield* batchesByWeight(patterns, (pattern) => patternSizes.get(pattern) ?? 0, MAX_BUFFERED_ROWS);
}

/** Reads the rows of each pattern. The patterns must have the same text before their first digits. */
async function readPatternGroup({ byName }: Orders, patterns: readonly string[]): Promise<Map<string, SearchRow[]>> {
  const rows = new Map(patterns.map((pattern): [string, SearchRow[]] => [pattern, []]));
  for await (const page of byName(rangeOf(patterns[0] ?? '')))
    for (const contract of page) rows.get(patternOf(contract.lowerName))?.push(rowOf(contract));
  return rows;
}

async function* inPages(rows: readonly SearchRow[]): AsyncGenerator<SearchRow[]> {
  yield* batchesByWeight(rows, () => 1, PATTERN_SIZE);
}

/** Returns the range of names that may match a pattern. It ends before the colon, the character after the digit 9. */
function rangeOf(pattern: string) {
  return { from: `${prefixOf(pattern)}0`, before: `${prefixOf(pattern)}:` };
}

const prefixOf = (pattern: string) => pattern.slice(0, pattern.indexOf(DIGITS));

function rowOf({ contractId, lowerName }: NamedContract): SearchRow {
  const { address, name } = splitContractId(contractId);
  return { key: `${lowerName} ${contractId}`, group: name, member: address };
}

/**
 * Returns the number of names of each pattern, sorted by pattern. Omits patterns with fewer than {@link PATTERN_SIZE}
 * names.
 */
async function findNamePatterns({ byName }: Orders): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const page of byName())
    for (const { lowerName } of page) {
      const pattern = patternOf(lowerName);
      if (pattern !== lowerName) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    }
  const frequent = [...counts].filter(([, count]) => count >= PATTERN_SIZE);
  return new Map(frequent.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function patternOf(lowerName: string): string {
  return /\d/.test(lowerName) ? lowerName.replaceAll(/\d+/g, DIGITS) : lowerName;
}
