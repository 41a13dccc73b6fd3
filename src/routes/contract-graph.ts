// Routes graph/…: which contracts a contract calls, which call it, its traits, and who has the very same source.

import { findCalledNames } from '#clarity/find-calls.ts';
import { findTraits } from '#clarity/find-traits.ts';
import { fillPath } from '#layout/answer-files.ts';
import { PRINCIPAL_PATTERN, splitContractId } from '#model/principal.ts';
import { type ContractFacts, contracts } from './contracts.ts';
import { interfaceSchema } from './interface-status.ts';
import { answerAt, type Described, type Page, type Route, type Zod } from './route.ts';

/** Rows of a list that the contract's own answer shows; all are in its pages. */
const SHOWN = 20;
/** Rows of a page: a new one changes the last page alone. */
const PAGE_SIZE = 1_000;
const PAGE_NUMBER = /^(0|[1-9]\d{0,4})$/;
const LISTS = /^(called-by|copies)$/;

const rowsOf = (z: Zod) => z.array(z.array(z.string()).min(1)).describe('Rows of a contract id and functions');

function schema(z: Zod) {
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

export type ContractGraph = Described<typeof schema>;

export const contractGraph: Route<ContractFacts> = {
  id: 'contract-graph',
  path: 'graph/{contract_id}',
  summary: 'Calls of a contract, its callers, its traits, and contracts with the very same source',
  parameters: [{ name: 'contract_id', pattern: PRINCIPAL_PATTERN }],
  schema,
  notFound: { status: 404, body: { error: 'Not Found', message: 'cannot find contract by ID' } },
  about: 'contracts',
  subject: contracts,

  render({ contract: { contractId, interfaceFrom }, code: { source }, calls: others }) {
    if (others === undefined) return [];
    const { address } = splitContractId(contractId);
    const { implemented, used } = findTraits(source, address);
    const { calls, onTraits } = callsIn(source, address, contractId);
    const { callers, original, copies } = others;
    const answer: ContractGraph = {
      contract_id: contractId,
      interface: interfaceFrom === 'vm' ? 'computed' : undefined,
      calls,
      on_traits: onTraits,
      implements: [...implemented],
      uses: [...used],
      called_by: beginOf(callers.map(toRow)),
      original: original ?? null,
      copies: beginOf(copies.map(toCopy)),
    };
    return [answerAt(fillPath(contractGraph, { contract_id: contractId }), answer)];
  },
};

export const contractGraphPage: Route<ContractFacts> = {
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
  subject: contracts,
  *render({ contract, calls }) {
    if (calls === undefined) return;
    yield* pagesOf('called-by', contract.contractId, calls.callers.map(toRow));
    yield* pagesOf('copies', contract.contractId, calls.copies.map(toCopy));
  },
};

function callsIn(source: string, address: string, contractId: string) {
  const pairs = findCalledNames(source, address).map((name) => name.split(' ') as [string, string]);
  const byContract = Map.groupBy(pairs.sort(), ([called]) => called);
  const onTraits = (byContract.get('*') ?? []).map(([, functionName]) => functionName);
  const calls = [...byContract].flatMap(([called, functions]) =>
    called === '*' || called === contractId ? [] : [[called, ...functions.map(([, name]) => name)]],
  );
  return { calls, onTraits };
}

function toRow({ contractId, functions }: { readonly contractId: string; readonly functions: readonly string[] }) {
  return [contractId, ...functions];
}

const toCopy = (contractId: string) => [contractId];

function beginOf(rows: string[][]) {
  return { count: rows.length, first: rows.slice(0, SHOWN), pages: Math.ceil(rows.length / PAGE_SIZE) };
}

function* pagesOf(list: string, contractId: string, rows: string[][]): Generator<Page> {
  for (let number = 0; number * PAGE_SIZE < rows.length; number++) {
    const path = fillPath(contractGraphPage, { list, called_id: contractId, page: String(number) });
    yield answerAt(path, rows.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE));
  }
}
