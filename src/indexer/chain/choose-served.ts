// Chooses the served deploy of each contract id from several deploys.
import type { Candidate, ReportedCandidate } from '#store/contracts/candidates.ts';

/** Returns the best candidate of each contract id: canonical, then confirmed, then highest, then first in the list. */
export function chooseServed(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const current = best.get(candidate.contractId);
    if (current === undefined || isBetter(candidate, current)) best.set(candidate.contractId, candidate);
  }
  return [...best.values()];
}

/** A contract for which the archive and the API differ. */
export interface Contradiction {
  readonly archiveCandidate: Candidate;
  readonly apiCandidate: ReportedCandidate;
  /** The served candidate, which comes from the newer of the two sources. */
  readonly kept: Candidate;
}

/**
 * Compares candidates from the archive with API reports. If they differ, the source with the higher tip wins.
 * `tipHeight` is the tip of the archive. An API report without a tip counts as newer.
 */
export function weighReports(
  chosen: readonly Candidate[],
  reported: readonly ReportedCandidate[],
  tipHeight: number | undefined,
): { readonly served: Candidate[]; readonly contradictions: Contradiction[] } {
  const served = new Map(chosen.map((candidate) => [candidate.contractId, candidate]));
  const contradictions: Contradiction[] = [];
  for (const apiCandidate of reported) {
    const archiveCandidate = served.get(apiCandidate.contractId);
    if (archiveCandidate === undefined) {
      served.set(apiCandidate.contractId, apiCandidate);
      continue;
    }
    if (agree(archiveCandidate, apiCandidate)) continue;
    const apiIsNewer =
      apiCandidate.reportedAt === undefined || tipHeight === undefined || apiCandidate.reportedAt >= tipHeight;
    const kept = apiIsNewer ? apiCandidate : archiveCandidate;
    served.set(apiCandidate.contractId, kept);
    // An unconfirmed deploy may have been confirmed in a later block, so the difference does not mean that a source is
    // wrong.
    if (archiveCandidate.confirmed) contradictions.push({ archiveCandidate, apiCandidate, kept });
  }
  return { served: [...served.values()], contradictions };
}

function agree(left: Candidate, right: Candidate): boolean {
  return (
    left.txId === right.txId &&
    left.canonical === right.canonical &&
    left.blockHeight === right.blockHeight &&
    left.confirmed === right.confirmed
  );
}

function isBetter(candidate: Candidate, current: Candidate): boolean {
  if (candidate.canonical !== current.canonical) return candidate.canonical;
  if (candidate.confirmed !== current.confirmed) return candidate.confirmed;
  return candidate.blockHeight > current.blockHeight;
}
