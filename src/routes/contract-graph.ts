// Routes graph/…: for each contract, the contracts that it calls, its callers, its traits, and contracts with the same
// source.

import { MAX_NAMES } from '#clarity/find-names.ts';
import { fillPath } from '#layout/response-files.ts';
import { PRINCIPAL_PATTERN } from '#model/principal.ts';
import { batchesByWeight } from '#sqlite/lists.ts';
import {
  findAffected,
  type GraphRow,
  readCallers,
  readCodeNames,
  readCopies,
  readGraphBlocks,
  readGraphContracts,
} from '#store/contracts/call-graph.ts';
import type { StoreReader } from '#store/index-database.ts';
import { changedContracts } from '#store/ledger/ledger.ts';
import { type Described, jsonPage, type Route, type Zod } from './route.ts';
import type { StoredEntry, Subject } from './subject.ts';
import { interfaceSchema } from './token-status.ts';

/** The maximum number of callers, and of copies, that the response for a contract lists. */
const MAX_LISTED = 1_000;
/** The maximum number of contracts that are read together. A single block may have more. */
const READ_AT_ONCE = 1_000;
/** Stands in the index for the contract id if a function is called on a trait (store/schema/references.ts). */
const ON_TRAIT = '*';

const rowsOf = (z: Zod) =>
  z.array(z.array(z.string()).min(1)).describe('Rows, each with a contract id and names of functions');

function contractSchema(z: Zod) {
  const traits = z.array(z.string()).describe('Trait identifiers: `SP….contract.trait`');
  const list = z.strictObject({ count: z.int().nonnegative(), first: rowsOf(z).max(MAX_LISTED) });
  return z.strictObject({
    contract_id: z.string().regex(PRINCIPAL_PATTERN),
    interface: interfaceSchema(z),
    calls: rowsOf(z),
    partial: z
      .literal(true)
      .optional()
      .describe(`True if the source names ${MAX_NAMES} functions and traits or more. The graph has only these`),
    on_traits: z.array(z.string()).describe('Functions called on a contract that is passed as a trait'),
    implements: traits,
    uses: traits,
    called_by: list.describe('Contracts that call this contract, with the called functions, in deploy order'),
    original: z
      .string()
      .regex(PRINCIPAL_PATTERN)
      .nullable()
      .describe('The first contract with identical source; null if this contract is the first'),
    copies: list.describe('Later contracts with identical source, in deploy order; empty for a copy'),
  });
}

export type ContractGraph = Described<typeof contractSchema>;

interface BlockFacts {
  /** The first three hex digits of the FNV-1a hash of a contract id. All contracts of the block share these digits. */
  readonly digits: string;
  /** The contracts of the block, sorted by id. */
  readonly contracts: readonly ContractGraph[];
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
    'Calls, callers, traits and copies of the contracts in a block. The FNV-1a hash (32 bits, as eight hex digits) of ' +
    'each contract id begins with the three digits of the block',
  parameters: [{ name: 'graph_block', pattern: /^[0-9a-f]{3}\.json$/ }],
  schema: (z) => z.record(z.string().regex(PRINCIPAL_PATTERN), contractSchema(z)),
  notFound: {
    status: 404,
    body: { error: 'Not Found', message: 'no contract id has an FNV-1a hash that begins with these digits' },
  },
  badRequest: {
    status: 400,
    body: { error: 'Bad Request', message: 'the path must end in three lower-case hex digits and .json' },
  },
  inBuilds: 'whole',
  subject: callGraph,
  render({ digits, contracts }) {
    const byId = Object.fromEntries(contracts.map((graph) => [graph.contract_id, graph]));
    return [jsonPage(fillPath(contractGraph, { graph_block: `${digits}.json` }), byId)];
  },
};

async function* readBlocks(
  store: StoreReader,
  blocks: Awaited<ReturnType<typeof readGraphBlocks>>,
): AsyncGenerator<StoredEntry<BlockFacts>[]> {
  /**
   * The ids of contracts with the same source, by the hash of this source. They are kept, so that each group is read
   * once.
   */
  const copiesByHash = new Map<string, readonly string[]>();
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
    for (const [hash, ids] of await readCopies(store, hashes.difference(copiesByHash)))
      if (ids.length > 1) copiesByHash.set(hash, ids);
    const byBlock = Map.groupBy(rows, ({ digits }) => digits);
    yield [...byBlock].map(([digits, inBlock]) => {
      const contracts = inBlock.map((row) =>
        toContract(row, names.get(row.deployId), callers.get(row.contractId), copiesByHash.get(row.sourceHash ?? '')),
      );
      return { key: digits, stored: { digits, contracts } };
    });
  }
}

/** Returns the ids of contracts that changed, of contracts that they call, and of contracts with the same source. */
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
  sameSource: readonly string[] = [contractId],
): ContractGraph {
  const forms = Map.groupBy(names, ({ form }) => form);
  const called = forms.get('contract-call?') ?? [];
  const [callers, [first = contractId]] = [toRows(calling), sameSource];
  const copies = first === contractId ? sameSource.slice(1).map((id) => [id]) : [];
  return {
    contract_id: contractId,
    interface: interfaceFrom === 'vm' ? ('computed' as const) : undefined,
    calls: toRows(called.filter((row) => row.contractId !== ON_TRAIT && row.contractId !== contractId)),
    ...(names.length >= MAX_NAMES && { partial: true as const }),
    on_traits: called.flatMap((row) => (row.contractId === ON_TRAIT ? [row.name] : [])),
    implements: toTraits(forms.get('impl-trait')),
    uses: toTraits(forms.get('use-trait')),
    called_by: summarize(callers),
    original: first === contractId ? null : first,
    copies: summarize(copies),
  };
}

function toRows(names: readonly Name[]): string[][] {
  const byContract = Map.groupBy(names, ({ contractId }) => contractId);
  return [...byContract].map(([contractId, functions]) => [contractId, ...functions.map(({ name }) => name)]);
}

function toTraits(names: readonly Name[] = []): string[] {
  return names.map(({ contractId, name }) => `${contractId}.${name}`).sort();
}

function summarize(rows: string[][]) {
  return { count: rows.length, first: rows.slice(0, MAX_LISTED) };
}
