// Chooses the served deploy of each contract. A block wins over an API.

import { fail } from '#model/failure.ts';
import { deleteChainFailures, insertChainFailures } from '#store/chain/chain-log.ts';
import { type Candidate, findCandidates, findReportedCandidates, writeServed } from '#store/contracts/candidates.ts';
import { isCollection, readServedAmong } from '#store/contracts/contracts.ts';
import type { StoreWriter } from '#store/index-database.ts';

/** Stores the served deploys of these contracts. An API's report is served while no block has the contract. */
export async function serveContracts(
  store: StoreWriter,
  contractIds: readonly string[],
  tip: { readonly indexBlockHash: string } | undefined,
): Promise<void> {
  const served = chooseServed(await findCandidates(store, contractIds, tip?.indexBlockHash));
  const reported = (await findReportedCandidates(store, contractIds)).filter(
    ({ contractId }) => served.get(contractId)?.confirmed !== true,
  );
  for (const candidate of reported) served.set(candidate.contractId, candidate);
  await writeServed(store, [...served.values()]);
  await noteUnlisted(
    store,
    contractIds,
    reported.map(({ contractId }) => contractId),
  );
}

/** Stores a failure for each collection that only an API has, because an API does not list the tokens. */
async function noteUnlisted(
  store: StoreWriter,
  contractIds: readonly string[],
  reportedIds: readonly string[],
): Promise<void> {
  const { code, message } = fail('tokens-not-listed');
  const served = reportedIds.length === 0 ? [] : await readServedAmong(store, reportedIds);
  const collections = new Set(served.filter(isCollection).map(({ contractId }) => contractId));
  const others = contractIds.filter((contractId) => !collections.has(contractId));
  await deleteChainFailures(store, code, others);
  const failures = [...collections].map((subject) => ({ code, subject, message }));
  await insertChainFailures(store, failures);
}

/** Returns the best candidate of each contract: canonical, then confirmed, then highest, then first in the list. */
function chooseServed(candidates: readonly Candidate[]): Map<string, Candidate> {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const current = best.get(candidate.contractId);
    if (current === undefined || isBetter(candidate, current)) best.set(candidate.contractId, candidate);
  }
  return best;
}

function isBetter(candidate: Candidate, current: Candidate): boolean {
  if (candidate.canonical !== current.canonical) return candidate.canonical;
  if (candidate.confirmed !== current.confirmed) return candidate.confirmed;
  return candidate.blockHeight > current.blockHeight;
}
