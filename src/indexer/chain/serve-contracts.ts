// Chooses the served deploys of contracts from blocks and API reports, and returns contradictions between blocks and
// reports.

import type { ChainFailure } from '#model/failure.ts';
import { deleteChainFailures } from '#store/chain/chain-log.ts';
import { type Candidate, findCandidates, findReportedCandidates, writeServed } from '#store/contracts/candidates.ts';
import type { StoreWriter } from '#store/index-database.ts';
import { type Contradiction, chooseServed, weighReports } from './choose-served.ts';

/** Stores the served deploys of these contracts. Returns contradictions between blocks and API reports. */
export async function serveContracts(
  store: StoreWriter,
  contractIds: readonly string[],
  tip: { readonly indexBlockHash: string; readonly height: number } | undefined,
): Promise<ChainFailure[]> {
  const chosen = chooseServed(await findCandidates(store, contractIds, tip?.indexBlockHash));
  const reported = await findReportedCandidates(store, contractIds);
  const { served, contradictions } = weighReports(chosen, reported, tip?.height);
  const inBlocks = new Set(chosen.map((candidate) => candidate.contractId));
  const comparable = reported.map(({ contractId }) => contractId).filter((contractId) => inBlocks.has(contractId));
  await deleteChainFailures(store, 'source-contradiction', comparable);
  await writeServed(store, served);
  return contradictions.map(explain);
}

function explain({ archiveCandidate, apiCandidate, kept }: Contradiction): ChainFailure {
  const winner = kept === apiCandidate ? "API's" : "archive's";
  return {
    code: 'source-contradiction',
    subject: apiCandidate.contractId,
    message:
      `The archive says it was deployed by ${describe(archiveCandidate)}, the API says by ${describe(apiCandidate)}; ` +
      `the ${winner} is newer and kept.`,
  };
}

function describe({ txId, blockHeight, canonical }: Candidate): string {
  return `${txId} at height ${blockHeight}${canonical ? '' : ', not canonical'}`;
}
