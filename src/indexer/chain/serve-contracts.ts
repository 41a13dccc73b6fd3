// Chooses the served deploy of each contract. A block wins over an API.

import { readCalendar } from '#store/chain/epochs.ts';
import { type Candidate, findCandidates, findReportedCandidates, writeServed } from '#store/contracts/candidates.ts';
import type { StoreWriter } from '#store/index-database.ts';

/** Stores the served deploys of these contracts. An API's report is served while no block has the contract. */
export async function serveContracts(
  store: StoreWriter,
  contractIds: readonly string[],
  tip: { readonly indexBlockHash: string } | undefined,
): Promise<void> {
  const served = chooseServed(await findCandidates(store, contractIds, tip?.indexBlockHash));
  for (const reported of await findReportedCandidates(store, contractIds))
    if (served.get(reported.contractId)?.confirmed !== true) served.set(reported.contractId, reported);
  await writeServed(store, [...served.values()], await readCalendar(store));
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
