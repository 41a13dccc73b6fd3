// Chooses which deploy of a contract id is served, where there are several.
import type { Candidate, ReportedCandidate } from '#store/candidates.ts';

/** One candidate for each contract id: canonical before non-canonical, confirmed before unconfirmed, then the highest block. */
export function chooseServed(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const current = best.get(candidate.contractId);
    if (current === undefined || isBetter(candidate, current)) best.set(candidate.contractId, candidate);
  }
  return [...best.values()];
}

/** Two sources that say different things about a contract. */
export interface Contradiction {
  readonly ofArchive: Candidate;
  readonly ofApi: ReportedCandidate;
  /** The one that is served: of the newer source. */
  readonly kept: Candidate;
}

/**
 * What is served where an API says something about a contract too: what the archive says if both agree, else what the
 * source says whose tip is higher (the archive's is `tipHeight`); an API that did not tell its tip was asked last.
 */
export function weighReports(
  chosen: readonly Candidate[],
  reported: readonly ReportedCandidate[],
  tipHeight: number | undefined,
): { readonly served: Candidate[]; readonly contradictions: Contradiction[] } {
  const served = new Map(chosen.map((candidate) => [candidate.contractId, candidate]));
  const contradictions: Contradiction[] = [];
  for (const ofApi of reported) {
    const ofArchive = served.get(ofApi.contractId);
    if (ofArchive === undefined) {
      served.set(ofApi.contractId, ofApi);
      continue;
    }
    if (agree(ofArchive, ofApi)) continue;
    const apiIsNewer = ofApi.reportedAt === undefined || tipHeight === undefined || ofApi.reportedAt >= tipHeight;
    const kept = apiIsNewer ? ofApi : ofArchive;
    served.set(ofApi.contractId, kept);
    // What was not confirmed yet may be confirmed elsewhere: time has passed, and nobody is wrong.
    if (ofArchive.confirmed) contradictions.push({ ofArchive, ofApi, kept });
  }
  return { served: [...served.values()], contradictions };
}

function agree(left: Candidate, right: Candidate): boolean {
  return (
    left.deployId === right.deployId &&
    left.canonical === right.canonical &&
    left.blockHeight === right.blockHeight &&
    left.confirmed === right.confirmed
  );
}

function isBetter(candidate: Candidate, current: Candidate): boolean {
  if (candidate.canonical !== current.canonical) return candidate.canonical;
  if (candidate.confirmed !== current.confirmed) return candidate.confirmed;
  if (candidate.blockHeight !== current.blockHeight) return candidate.blockHeight > current.blockHeight;
  // Two orphans of one height: by deploy, so that the choice does not depend on the order of rows.
  return candidate.deployId > current.deployId;
}
