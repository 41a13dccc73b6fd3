// Reads examples for the API description. Responses of the sample chain were written by scripts/make-examples.ts; ids
// of contracts and tokens come from the index.
import { readFileSync } from 'node:fs';
import { graphBlockOf } from '#layout/data-files.ts';
import { splitContractId } from '#model/principal.ts';
import { addressBlockId } from '#routes/contract-search.ts';
import type { Route, RouteError } from '#routes/route.ts';
import { firstCalledContract } from '#store/contracts/call-graph.ts';
import { contractIdsInOrder } from '#store/contracts/contract-names.ts';
import { firstAvailableToken, isFungibleToken, readServedAmong, servedContracts } from '#store/contracts/contracts.ts';
import type { StoreReader } from '#store/index-database.ts';
import { firstNumberedToken } from '#store/tokens/collection-states.ts';

export interface Example {
  readonly parameters: Readonly<Record<string, string>>;
  readonly response: unknown;
  /** The error responses that files of the route contain. */
  readonly errors?: readonly RouteError[];
}

/** Examples by the id of their route. */
export const EXAMPLES: Readonly<Record<string, Example>> = JSON.parse(
  readFileSync(new URL('../../data/sample/examples.json', import.meta.url), 'utf8'),
);

/**
 * An example value for each path parameter. Parameters about collections have names that begin with `nft_` or `sft_`.
 */
export type ExampleIds = Readonly<Record<string, string | undefined>>;

export function exampleId(ids: ExampleIds, inBuilds: Route['inBuilds'], parameter: string): string | undefined {
  return ids[inBuilds === 'nft' || inBuilds === 'sft' ? `${inBuilds}_${parameter}` : parameter];
}

/** Returns the identifiers for an example of a request for several tokens. */
export function batchExample({ principal, nft_principal: nft, nft_token_id: number }: ExampleIds): string[] {
  return [principal, nft && `${nft}:${number}`].filter((identifier) => identifier !== undefined);
}

/**
 * Returns ids that are in the index: the ids of the sample's examples, or else the first token or contract. Empty for
 * an empty index.
 */
export async function readExampleIds(store: StoreReader): Promise<ExampleIds> {
  const sample = Object.values(EXAMPLES).flatMap(({ parameters: { principal } }) =>
    principal === undefined ? [] : [principal],
  );
  const token = (await readServedAmong(store, sample)).find(isFungibleToken) ?? (await firstAvailableToken(store));
  const contract = token ?? (await firstOf(servedContracts(store)));
  if (contract === undefined) return {};
  const { contractId } = contract;
  const first = await firstOf(contractIdsInOrder(store));
  const called = await firstCalledContract(store);
  const { address, name } = splitContractId(contractId);
  const [nft, sft] = [await firstNumberedToken(store, 'sip-009'), await firstNumberedToken(store, 'sip-013')];
  return {
    nft_principal: nft?.contractId,
    nft_token_id: nft?.tokenNumber,
    sft_principal: sft?.contractId,
    sft_token_id: sft?.tokenNumber,
    principal: token && contractId,
    contract_id: contractId,
    contract_address: address,
    contract_name: name,
    block: first && addressBlockId(first),
    graph_block: `${graphBlockOf(called ?? contractId)}.json`,
  };
}

async function firstOf<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item | undefined> {
  for await (const [first] of pages) if (first !== undefined) return first;
  return undefined;
}
