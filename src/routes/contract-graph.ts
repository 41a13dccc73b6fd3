// Routes graph/…: which contracts a contract calls, which call it, its traits, and who has the very same source.

import { findCalls } from '#clarity/find-calls.ts';
import { findTraits } from '#clarity/find-traits.ts';
import { PRINCIPAL_PATTERN, splitContractId } from '#model/principal.ts';
import { fillPath } from '#serving/layout.ts';
import { type ContractFacts, contracts } from './contracts.ts';
import type { Described, Page, Route, Zod } from './route.ts';

/** Items of a list in the contract's own answer; longer lists have pages. */
const SHOWN = 100;
/** Items of a page: a new one changes the last page alone. */
const PAGE_SIZE = 1_000;
const PAGE_NUMBER = /^(0|[1-9]\d{0,4})$/;

const idOf = (z: Zod) => z.string().regex(PRINCIPAL_PATTERN);
const callsOf = (z: Zod) => z.array(z.string()).min(2).describe('A contract id, and functions');

function schema(z: Zod) {
  const traits = z.array(z.string()).describe('Trait identifiers: `SP….contract.trait`');
  const pages = z.int().nonnegative().describe(`Number of pages of ${PAGE_SIZE} items; 0 if the first are all`);
  const count = z.int().nonnegative();
  return z.strictObject({
    contract_id: idOf(z),
    calls: z.array(callsOf(z)),
    on_traits: z.array(z.string()).describe('Functions called on traits, whichever contract is passed'),
    implements: traits,
    uses: traits,
    called_by: z
      .strictObject({ count, first: z.array(callsOf(z)).max(SHOWN), pages })
      .describe('Contracts whose code calls it, with the functions, in the order of their deploys'),
    original: idOf(z).nullable().describe('The first contract with the very same source, if it is another one'),
    copies: z
      .strictObject({ count, first: z.array(idOf(z)).max(SHOWN), pages })
      .describe('If it is the first: the others with its source, in the order of their deploys'),
  });
}

const contractId = { name: 'contract_id', pattern: PRINCIPAL_PATTERN } as const;
const page = { name: 'page', pattern: PAGE_NUMBER } as const;

export const contractGraph: Route<ContractFacts> = {
  id: 'contract-graph',
  path: 'graph/{contract_id}',
  summary: 'Calls of a contract, its callers, its traits, and contracts with the very same source',
  parameters: [contractId],
  schema,
  about: 'contracts',
  subject: contracts,
  render: renderGraph,
};

export const contractCallers: Route<ContractFacts> = {
  id: 'contract-callers',
  path: 'graph/called-by/{contract_id}/{page}',
  summary: `A page of the contracts that call a contract, if there are more than ${SHOWN}`,
  parameters: [contractId, page],
  schema: (z) => z.array(callsOf(z)).max(PAGE_SIZE),
  about: 'contracts',
  subject: contracts,
  render: ({ contract, calls }) => pagesOf(contractCallers, contract.contractId, (calls?.callers ?? []).map(toRow)),
};

export const contractCopies: Route<ContractFacts> = {
  id: 'contract-copies',
  path: 'graph/copies/{contract_id}/{page}',
  summary: `A page of the contracts with the very same source, if there are more than ${SHOWN}`,
  parameters: [contractId, page],
  schema: (z) => z.array(idOf(z)).max(PAGE_SIZE),
  about: 'contracts',
  subject: contracts,
  render: ({ contract, calls }) => pagesOf(contractCopies, contract.contractId, calls?.copies ?? []),
};

function renderGraph({ contract: { contractId }, code: { source }, calls: others }: ContractFacts): Page[] {
  if (others === undefined) return [];
  const { address } = splitContractId(contractId);
  const { implemented, used } = findTraits(source, address);
  const { calls, onTraits } = callsIn(source, address, contractId);
  const { callers, original, copies } = others;
  const parts = [calls, onTraits, implemented, used, callers, copies];
  if (original === undefined && parts.every(({ length }) => length === 0)) return [];
  const answer: Described<typeof schema> = {
    contract_id: contractId,
    calls,
    on_traits: onTraits,
    implements: [...implemented],
    uses: [...used],
    called_by: beginOf(callers.map(toRow)),
    original: original ?? null,
    copies: beginOf(copies),
  };
  return [{ kind: 'answer', path: fillPath(contractGraph, { contract_id: contractId }), body: JSON.stringify(answer) }];
}

/** Calls of other contracts, sorted. */
function callsIn(source: string, address: string, contractId: string) {
  const pairs = findCalls(Buffer.from(source), address).names.map((name) => name.split(' ') as [string, string]);
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

function beginOf<Item>(items: readonly Item[]) {
  const pages = items.length > SHOWN ? Math.ceil(items.length / PAGE_SIZE) : 0;
  return { count: items.length, first: items.slice(0, SHOWN), pages };
}

function* pagesOf(
  route: Pick<Route, 'path' | 'parameters'>,
  contractId: string,
  items: readonly unknown[],
): Generator<Page> {
  for (let number = 0; number < beginOf(items).pages; number++) {
    const body = JSON.stringify(items.slice(number * PAGE_SIZE, (number + 1) * PAGE_SIZE));
    yield { kind: 'answer', path: fillPath(route, { contract_id: contractId, page: String(number) }), body };
  }
}
