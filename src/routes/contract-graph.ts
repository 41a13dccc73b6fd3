// Routes graph/…: which contracts a contract calls, which call it, its traits, and who has the very same source.

import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import {
  findAffected,
  type GraphRow,
  readCallers,
  readCodeNames,
  readFamilies,
  readGraphBlocks,
  readGraphContracts,
} from '#store/contracts/call-graph.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { interfaceSchema } from './interface-status.ts';
import { type Described, jsonPage, type Page, type Route, type Zod } from './route.ts';
import type { StoredEntry, Subject } from './subject.ts';

/** Rows of a list that a block shows; the pages of the list have all. */
const SHOWN = 20;
/** Rows of a page: a new row changes only the last page. */
const PAGE_SIZE = 1_000;
const PAGE_NUMBER = /^(0|[1-9]\d{0,4})$/;
const LISTS = /^(called-by|copies)$/;
/** Contracts that are read at once, unless a block has more. */
const READ_AT_ONCE = 1_000;
/** The contract of a function that is called on a trait (store/schema/references.ts). */
const ON_TRAIT = '*';
/** Approximate memory of a row. */
const ROW_BYTES = 200;

const rowsOf = (z: Zod) => z.array(z.array(z.string()).min(1)).describe('Rows of a contract id and functions');

function contractSchema(z: Zod) {
  const traits = z.array(z.string()).describe('Trait identifiers: `SP….contract.trait`');
  const pages = z.int().nonnegative().describe(`Number of pages, of ${PAGE_SIZE} rows each`);
  const list = z.strictObject({ count: z.int().nonnegative(), first: rowsOf(z).max(SHOWN), pages });
  return z.strictObject({
    contract_id: z.string().regex(PRINCIPAL_PATTERN),
    interface: interfaceSchema(z),
    calls: rowsOf(z),
    on_traits: z.array(z.string()).describe('Functions called on traits, whichever contract is passed'),
    implements: traits,
    uses: traits,
    called_by: list.describe('Contracts whose code calls it, with the functions, in the order of their deploys'),
    original: z
      .string()
      .regex(PRINCIPAL_PATTERN)
      .nullable()
      .describe('The first contract with the very same source, if it is another one'),
    copies: list.describe('If it is the first: the others with its source, in the order of their deploys'),
  });
}

export type ContractGraph = Described<typeof contractSchema>;

interface GraphedContract {
  readonly graph: ContractGraph;
  /** All rows of its lists. */
  readonly callers: string[][];
  readonly copies: string[][];
}

interface BlockFacts {
  /** Three hex digits. */
  readonly digits: string;
  /** Sorted by id. */
  readonly contracts: readonly GraphedContract[];
}

export const callGraph: Subject<BlockFacts, BlockFacts> = {
  async changes(store, sinceRevision) {
    const blocks = await readGraphBlocks(
      store,
      sinceRevision === 0 ? undefined : await changedIds(store, sinceRevision),
    );
    return { count: blocks.length, pages: readBlocks(store, blocks) };
  },
  open: (stored) => stored,
};

export const contractGraph: Route<BlockFacts> = {
  id: 'contract-graph',
  path: 'graph/{graph_block}',
  summary:
    'Calls, callers, traits and copies of contracts, by contract id: a block has the contracts whose id has a SHA-256 ' +
    'that begins with its three hex digits',
  parameters: [{ name: 'graph_block', pattern: /^[0-9a-f]{3}\.json$/ }],
  schema: (z) => z.record(z.string().regex(PRINCIPAL_PATTERN), contractSchema(z)),
  notFound: { status: 404, body: { error: 'Not Found', message: 'no contract has an id with these digits' } },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'the path must end in three hex digits of a SHA-256 and .json' },
  },
  about: 'contracts',
  subject: callGraph,
  render({ digits, contracts }) {
    const byId = Object.fromEntries(contracts.map(({ graph }) => [graph.contract_id, graph]));
    return [jsonPage(fillPath(contractGraph, { graph_block: `${digits}.json` }), byId)];
  },
};

export const contractGraphPage: Route<BlockFacts> = {
  id: 'contract-graph-page',
  path: 'graph/lists/{list}/{called_id}/{page}',
  summary: 'A page of the contracts that call a contract, or of those with the very same source',
  parameters: [
    { name: 'list', pattern: LISTS },
    { name: 'called_id', pattern: PRINCIPAL_PATTERN },
    { name: 'page', pattern: PAGE_NUMBER },
  ],
  schema: (z) => rowsOf(z).max(PAGE_SIZE),
  about: 'contracts',
  subject: callGraph,
  *render({ contracts }) {
    for (const { graph, callers, copies } of contracts) {
      yield* pagesOf('called-by', graph.contract_id, callers);
      yield* pagesOf('copies', graph.contract_id, copies);
    }
  },
};

async function* readBlocks(
  store: StoreReader,
  blocks: Awaited<ReturnType<typeof readGraphBlocks>>,
): AsyncGenerator<StoredEntry<BlockFacts>[]> {
  /** Contracts with the same source, by its hash, if there are several: each family is read once. */
  const families = new Map<string, readonly string[]>();
  for (const run of batchesByWeight(blocks, ({ contracts }) => contracts, READ_AT_ONCE)) {
    const rows = await readGraphContracts(
      store,
      run.map(({ digits }) => digits),
    );
    const names = await readCodeNames(
      store,
      rows.map(({ deployId }) => deployId),
    );
    const callers = await readCallers(
      store,
      rows.map(({ contractId }) => contractId),
    );
    const hashes = new Set(rows.flatMap(({ sourceHash }) => sourceHash ?? []));
    for (const [hash, family] of await readFamilies(store, hashes.difference(families)))
      if (family.length > 1) families.set(hash, family);
    const byBlock = Map.groupBy(rows, ({ digits }) => digits);
    yield [...byBlock].map(([digits, inBlock]) => {
      const contracts = inBlock.map((row) =>
        toContract(row, names.get(row.deployId), callers.get(row.contractId), families.get(row.sourceHash ?? '')),
      );
      const size = contracts.reduce((sum, one) => sum + one.callers.length + one.copies.length, contracts.length);
      return { key: digits, stored: { digits, contracts }, bytes: size * ROW_BYTES };
    });
  }
}

/** Returns the ids of the contracts that changed, and of the contracts that they call or copy. */
async function changedIds(store: StoreReader, sinceRevision: number): Promise<string[]> {
  const changed = [...(await changedContracts(store, sinceRevision, ['contract', 'graph'])).keys()];
  return [...changed, ...(await findAffected(store, changed))];
}

interface Name {
  readonly contractId: string;
  readonly name: string;
}

function toContract(
  { contractId, interfaceFrom }: GraphRow,
  names: readonly (Name & { readonly form: string })[] = [],
  calling: readonly Name[] = [],
  family: readonly string[] = [contractId],
): GraphedContract {
  const forms = Map.groupBy(names, ({ form }) => form);
  const called = forms.get('contract-call?') ?? [];
  const [callers, [first = contractId]] = [toRows(calling), family];
  const copies = first === contractId ? family.slice(1).map((id) => [id]) : [];
  const graph = {
    contract_id: contractId,
    interface: interfaceFrom === 'vm' ? ('computed' as const) : undefined,
    calls: toRows(called.filter((row) => row.contractId !== ON_TRAIT && row.contractId !== contractId)),
    on_traits: called.flatMap((row) => (row.contractId === ON_TRAIT ? [row.name] : [])),
    implements: toTraits(forms.get('impl-trait')),
    uses: toTraits(forms.get('use-trait')),
    called_by: beginOf(callers),
    original: first === contractId ? null : first,
    copies: beginOf(copies),
  };
  return { graph, callers, copies };
}

function toRows(names: readonly Name[]): string[][] {
  const byContract = Map.groupBy(names, ({ contractId }) => contractId);
  return [...byContract].map(([contractId, functions]) => [contractId, ...functions.map(({ name }) => name)]);
}

function toTraits(names: readonly Name[] = []): string[] {
  return names.map(({ contractId, name }) => `${contractId}.${name}`).sort();
}

function beginOf(rows: string[][]) {
  return { count: rows.length, first: rows.slice(0, SHOWN), pages: Math.ceil(rows.length / PAGE_SIZE) };
}

function* pagesOf(list: string, contractId: string, rows: string[][]): Generator<Page> {
  for (let number = 0; number * PAGE_SIZE < rows.length; number++) {
    const path = fillPath(contractGraphPage, { list, called_id: contractId, page: String(number) });
    yield jsonPage(path, rows.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE));
  }
}
