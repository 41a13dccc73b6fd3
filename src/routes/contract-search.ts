// Routes search/contracts and search/names: files to find contracts by a part of a name, or by the beginning of a name
// or address. They are blocks of rows, and an index of these blocks.

import { indexFile } from '#layout/response-files.ts';
import { splitContractId } from '#model/principal.ts';
import type { TokenStandard } from '#model/token.ts';
import { contractIdsInOrder, contractsByName, haveNamesChanged } from '#store/contracts/contract-names.ts';
import { hasTokenChanged, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { countAllContracts } from '#store/status/counts.ts';
import { packBlock } from './pack-names.ts';
import { jsonPage, type Route } from './route.ts';
import { type BlockIndex, blockId, blocksOf, type SearchPart, type SearchRow, USUAL_ROWS } from './search-blocks.ts';
import { NO_CHANGES, type StoredEntry, type Subject, standardsOf } from './subject.ts';

const BY_ADDRESS = 'address';
const PATH = 'search/contracts';
const BLOCK_ID = /^[0-9a-f]{12}$/;

const subject: Subject<SearchPart, SearchPart> = {
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
  open: (stored) => stored,
};

export const contractSearch: Route<SearchPart> = {
  id: 'contract-search',
  path: PATH,
  summary: 'Block indexes to find a contract by a prefix of its lower-case name or id: first key and id of each block',
  parameters: [],
  schema: (z) => {
    const blockIndex = z.array(z.array(z.string()).length(2));
    return z.strictObject({
      names: blockIndex.describe(
        'Keys are lower-case names; a space and a contract id follow if a block continues a name',
      ),
      addresses: blockIndex.describe('Keys are contract ids'),
    });
  },
  inBuilds: 'all',
  subject,
  render: (part) => ('blockIndex' in part ? [jsonPage(indexFile({ path: PATH }), part.blockIndex)] : []),
};

export const contractSearchBlock: Route<SearchPart> = {
  id: 'contract-search-block',
  path: `${PATH}/{block}`,
  summary: 'A block of contracts: names with their addresses, or addresses with their names',
  parameters: [{ name: 'block', pattern: BLOCK_ID }],
  notFound: {
    status: 404,
    body: { error: 'Not Found', message: `This block does not exist. Read ${PATH} again for the current blocks.` },
  },
  schema: (z) => z.array(z.array(z.string()).min(2)).describe('`["name", "SP…", "SP…"]` or `["SP…", "name"]`'),
  inBuilds: 'all',
  subject,
  render: (part) => ('id' in part ? [jsonPage(`${PATH}/${part.id}`, part.rows)] : []),
};

/** Serves all names in one file, to search for a part of a name. */
export const contractNames: Route<SearchPart> = {
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
    }),
  inBuilds: 'all',
  subject,
  render: (part) => ('names' in part ? [jsonPage(indexFile(contractNames), part.names)] : []),
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
    async *byName() {
      for await (const page of contractsByName(store)) yield page.filter(({ contractId }) => isIncluded(contractId));
    },
  };
}

/** Yields entries sorted by key: blocks of addresses, then blocks of names. The last entry has the block indexes. */
async function* entriesOf(contracts: Orders): AsyncGenerator<StoredEntry<SearchPart>[]> {
  const blockIndex = { names: [] as BlockIndex, addresses: [] as BlockIndex };
  const nameBlocks: (readonly [string, string])[] = [];
  yield* blocksOf(BY_ADDRESS, rowsByAddress(contracts), blockIndex.addresses);
  for await (const entries of blocksOf('name', rowsByName(contracts), blockIndex.names)) {
    for (const { stored } of entries) if (stored !== undefined) nameBlocks.push(packBlock(stored));
    yield entries;
  }
  yield [{ key: 'whole', stored: { blockIndex, names: { blocks: nameBlocks } } }];
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

async function* rowsByName({ byName }: Orders): AsyncGenerator<SearchRow[]> {
  for await (const page of byName())
    yield page.map(({ contractId, lowerName }) => {
      const { address, name } = splitContractId(contractId);
      return { key: `${lowerName} ${contractId}`, group: name, member: address };
    });
}
