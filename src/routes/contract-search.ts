// Routes search/contracts: blocks and a fence to find a contract by a prefix of its name or address.

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
import {
  type BlockIndex,
  blockId,
  blockIndexSchema,
  blocksOf,
  type ContractBlockIndex,
  type SearchPart,
  type SearchRow,
  searchRoutes,
  USUAL_ROWS,
} from './search-blocks.ts';
import { NO_CHANGES, type StoredEntry, standardsOf } from './subject.ts';

/** Generated names such as `bns-1234-v5` are half of mainnet's: this many of one pattern have blocks of their own. */
const PATTERN_SIZE = 1_000;
/** Rows of families that are held at once, 100 bytes each, unless one family has more. */
const MAX_HELD_ROWS = 100_000;
/** Stands for digits in a pattern: no name contains it, and it sorts before them. */
const DIGITS = '#';

const BY_ADDRESS = 'address';

export const [contractSearch, contractSearchBlock] = searchRoutes<ContractBlockIndex>({
  id: 'contract-search',
  path: 'search/contracts',
  summary:
    'BlockIndex to find a contract by a prefix of its lower-case name or of its id: first key and id of each block',
  about: 'tokens',
  schema: (z) => {
    const fence = blockIndexSchema(z);
    return z.strictObject({
      names: fence.describe(
        'Keys are names in lower case, followed by a space and a contract id if a block begins within a name',
      ),
      families: z.record(z.string(), fence).describe('Fences of names that differ only in their digits, by pattern'),
      addresses: fence.describe('Keys are contract ids'),
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
    rows: '`["name", "SP…", "SP…"]`, `["SP…", "name"]`, or a family, `["bns-#-v#", 54321]`',
  },
});

type Orders = Awaited<ReturnType<typeof readOrders>>;

/** The searchable contracts in both orders. */
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

/** Sorted by key: addresses, families, names, and finally the fence of all blocks. */
async function* entriesOf(contracts: Orders): AsyncGenerator<StoredEntry<SearchPart<ContractBlockIndex>>[]> {
  const families = await findNamePatterns(contracts);
  const fence = { names: [] as BlockIndex, families: {} as Record<string, BlockIndex>, addresses: [] as BlockIndex };
  yield* blocksOf(BY_ADDRESS, rowsByAddress(contracts), fence.addresses);
  for (const together of readTogether(families)) {
    const held = together.length > 1 ? await readFamilies(contracts, together) : undefined;
    for (const pattern of together) {
      const rows = held?.get(pattern);
      const patternIndex: BlockIndex = [];
      fence.families[pattern] = patternIndex;
      yield* blocksOf(`family ${pattern}`, rows ? inPages(rows) : patternRows(contracts, pattern), patternIndex);
    }
  }
  yield* blocksOf('name', rowsByName(contracts, families), fence.names);
  yield [{ key: 'whole', stored: { fence } }];
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

/** A family is one row with its number of members. */
async function* rowsByName({ byName }: Orders, families: ReadonlyMap<string, number>): AsyncGenerator<SearchRow[]> {
  const open = [...families];
  const patternsBefore = (name: string) => {
    const end = open.findIndex(([pattern]) => pattern >= name);
    const before = open.splice(0, end === -1 ? open.length : end);
    return before.map(([pattern, size]): SearchRow => ({ key: pattern, group: pattern, member: size }));
  };
  for await (const page of byName())
    yield page.flatMap((contract) => [
      ...patternsBefore(contract.lowerName),
      ...(families.has(patternOf(contract.lowerName)) ? [] : [rowOf(contract)]),
    ]);
  yield patternsBefore('\u{10ffff}');
}

async function* patternRows({ byName }: Orders, pattern: string): AsyncGenerator<SearchRow[]> {
  for await (const page of byName(rangeOf(pattern)))
    yield page.filter(({ lowerName }) => patternOf(lowerName) === pattern).map(rowOf);
}

/** Consecutive patterns with one text before their digits, as many as may be held: each pass reads all such names. */
function* readTogether(families: ReadonlyMap<string, number>): Generator<string[]> {
  for (const [, patterns] of Map.groupBy(families.keys(), prefixOf))
    yield* batchesByWeight(patterns, (pattern) => families.get(pattern) ?? 0, MAX_HELD_ROWS);
}

/** Rows of families that have one text before their digits, by pattern. */
async function readFamilies({ byName }: Orders, patterns: readonly string[]): Promise<Map<string, SearchRow[]>> {
  const rows = new Map(patterns.map((pattern): [string, SearchRow[]] => [pattern, []]));
  for await (const page of byName(rangeOf(patterns[0] ?? '')))
    for (const contract of page) rows.get(patternOf(contract.lowerName))?.push(rowOf(contract));
  return rows;
}

async function* inPages(rows: readonly SearchRow[]): AsyncGenerator<SearchRow[]> {
  yield* batchesByWeight(rows, () => 1, PATTERN_SIZE);
}

/** A colon is the character after the digits. */
function rangeOf(pattern: string) {
  return { from: `${prefixOf(pattern)}0`, before: `${prefixOf(pattern)}:` };
}

const prefixOf = (pattern: string) => pattern.slice(0, pattern.indexOf(DIGITS));

function rowOf({ contractId, lowerName }: NamedContract): SearchRow {
  const { address, name } = splitContractId(contractId);
  return { key: `${lowerName} ${contractId}`, group: name, member: address };
}

/** Number of names of each pattern that has many, sorted. */
async function findNamePatterns({ byName }: Orders): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const page of byName())
    for (const { lowerName } of page) {
      const pattern = patternOf(lowerName);
      if (pattern !== lowerName) counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
    }
  const families = [...counts].filter(([, count]) => count >= PATTERN_SIZE);
  return new Map(families.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function patternOf(lowerName: string): string {
  return /\d/.test(lowerName) ? lowerName.replaceAll(/\d+/g, DIGITS) : lowerName;
}
