// Chooses which responses of an index to compare. Reads each one as a build would serve it, or the reason why it is
// missing.

import { hash } from 'node:crypto';
import { fillPath } from '#layout/response-files.ts';
import { isContractId, splitContractId } from '#model/principal.ts';
import type { TokenStandard } from '#model/token.ts';
import { contractInfo } from '#routes/contract-info.ts';
import { contractInterface } from '#routes/contract-interface.ts';
import { nftMetadata, sftMetadata } from '#routes/numbered-metadata.ts';
import { renderedResponses } from '#routes/rendered-responses.ts';
import type { Route } from '#routes/route.ts';
import { tokenMetadata } from '#routes/token-metadata.ts';
import { type CollectionStatus, type TokenStatus, tokenStatus } from '#routes/token-status.ts';
import { contractIdsInOrder } from '#store/contracts/contract-names.ts';
import { isTokenContract, readServedAmong, servedContracts } from '#store/contracts/contracts.ts';
import { readReportFailure } from '#store/contracts/reports.ts';
import type { StoreReader } from '#store/index-database.ts';

export interface Choice {
  readonly route: Route;
  readonly contractId: string;
}

const METADATA: Readonly<Record<TokenStandard, Route>> = {
  'sip-010': tokenMetadata as Route,
  'sip-009': nftMetadata as Route,
  'sip-013': sftMetadata as Route,
};
const CONTRACT_ROUTES = [contractInfo, contractInterface] as readonly Route[];

/**
 * Chooses up to `size` responses of each kind, alternating between the kinds. A hash decides their order, so every run
 * has the same sample. {@link readOwnResponses} skips collections without tokens.
 */
export async function chooseSample(store: StoreReader, size: number): Promise<Choice[]> {
  const kinds: Choice[][] = [];
  for (const [standard, route] of Object.entries(METADATA) as [TokenStandard, Route][]) {
    const contracts = (await Array.fromAsync(servedContracts(store, [standard]))).flat();
    const contractIds = contracts.map(({ contractId }) => contractId);
    kinds.push(firstOf(route, contractIds, size));
  }
  const ids = (await Array.fromAsync(contractIdsInOrder(store))).flat();
  kinds.push(...CONTRACT_ROUTES.map((route) => firstOf(route, ids, size)));
  const turns = Array.from({ length: size }, (_, turn) => kinds.flatMap((kind) => kind[turn] ?? []));
  return turns.flat();
}

/**
 * Chooses all responses about the contracts. If the index lacks a contract, chooses responses that another API may
 * have.
 */
export async function chooseContracts(store: StoreReader, contractIds: readonly string[]): Promise<Choice[]> {
  const served = new Map(
    (await readServedAmong(store, contractIds)).map((contract) => [contract.contractId, contract]),
  );
  return contractIds.filter(isContractId).flatMap((contractId) => {
    const contract = served.get(contractId);
    const standard = contract !== undefined && isTokenContract(contract) ? contract.standard : undefined;
    const routes = contract === undefined ? [contractInfo as Route, METADATA['sip-010']] : CONTRACT_ROUTES;
    return [...routes, ...(standard === undefined ? [] : [METADATA[standard]])].map((route) => ({ route, contractId }));
  });
}

/** Returns the path of a response; undefined for a token of a collection, since the choice has no token number. */
function pathOf({ route, contractId }: Choice): string | undefined {
  if (route === METADATA['sip-009'] || route === METADATA['sip-013']) return undefined;
  const { address, name } = splitContractId(contractId);
  const values = { principal: contractId, contract_id: contractId, contract_address: address, contract_name: name };
  return fillPath(route, values);
}

function firstOf(route: Route, contractIds: readonly string[], size: number): Choice[] {
  const ranked = contractIds.map((contractId) => ({ contractId, rank: hash('sha256', `${route.id} ${contractId}`) }));
  return ranked
    .sort((left, right) => (left.rank < right.rank ? -1 : 1))
    .slice(0, size)
    .map(({ contractId }) => ({ route, contractId }));
}

export interface Question {
  readonly route: Route;
  readonly path: string;
  /** The response that a build of the index has; undefined if the build lacks it. */
  readonly ours: OwnResponse | undefined;
  /** The sources of the values in the response, and the reasons for missing values. */
  readonly status: TokenStatus | CollectionStatus | undefined;
  /** The reason why the index could not read the contract from an API. */
  readonly failure: string | undefined;
}

interface OwnResponse {
  readonly path: string;
  /** 200, or 422 for an error whose reason is in the body. */
  readonly status: number;
  readonly body: unknown;
}

const OPTIONS = { publicUrl: '' };

/**
 * Yields up to `maxResponses` responses, one by one, since each may have a megabyte. A collection is represented by its
 * first token.
 */
export async function* readOwnResponses(
  store: StoreReader,
  choices: readonly Choice[],
  maxResponses: number,
): AsyncGenerator<Question> {
  let count = 0;
  for (const choice of choices) {
    const { route, contractId } = choice;
    const ours = await readFirst(store, contractId, route);
    const path = ours?.path ?? pathOf(choice);
    if (path === undefined) continue;
    if (++count > maxResponses) return;
    const status = await readFirst(store, contractId, tokenStatus as Route);
    yield {
      route,
      path,
      ours,
      status: status?.body as TokenStatus | undefined,
      failure: (await readReportFailure(store, contractId))?.message,
    };
  }
}

async function readFirst(store: StoreReader, contractId: string, route: Route): Promise<OwnResponse | undefined> {
  for await (const { page } of renderedResponses(store, [contractId], [route], OPTIONS))
    if (page.variant === undefined) return { path: page.path, status: page.status ?? 200, body: JSON.parse(page.body) };
  return undefined;
}
